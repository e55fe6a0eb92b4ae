"use strict";
// The page is whole without this: it adds sorting, filtering, the query of a row below it, and copying.

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function copyButton(code) {
  const button = element("button", { type: "button", textContent: "Copy" });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {  // where a page may not write to the clipboard, the text is selected for whoever reads it
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  return button;
}

// What a cell is sorted by: a number, a text, or null where it is empty, which comes last either way.
function key(cell, numeric) {
  const text = cell.dataset.v ?? cell.textContent.trim();
  if (text === "") return null;
  return numeric ? Number(text.replaceAll(",", "")) : text;
}

function compare(one, other, sign) {
  if (one === null || other === null) return (one === null) - (other === null);
  if (typeof one === "string") return sign * collator.compare(one, other);
  if (Number.isNaN(one) || Number.isNaN(other)) return Number.isNaN(one) - Number.isNaN(other);
  return sign * (one - other);
}

function enhance(table, number) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const headings = Array.from(table.tHead.rows[0].cells).filter((cell) => !cell.classList.contains("asks"));
  const texts = rows.map((row) =>
    Array.from(row.cells).slice(0, headings.length)
      .map((cell) => cell.textContent).join(" ").replaceAll("−", "-").toLowerCase());
  const note = document.getElementById(table.getAttribute("aria-describedby"));

  function closePanels() {
    for (const button of body.querySelectorAll("button[aria-expanded=true]")) button.click();
  }

  headings.forEach((heading, place) => {
    const button = element("button", { type: "button" }, element("span", {}, ...heading.childNodes));
    heading.replaceChildren(button);
    heading.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      closePanels();
      const next = { none: "ascending", ascending: "descending", descending: "none" }[heading.getAttribute("aria-sort")];
      headings.forEach((one) => one.setAttribute("aria-sort", one === heading ? next : "none"));
      const sign = next === "descending" ? -1 : 1;
      const numeric = heading.classList.contains("n");
      const keyed = rows.map((row) => [next === "none" ? 0 : key(row.cells[place], numeric), row]);
      keyed.sort(([one], [other]) => compare(one, other, sign));
      body.append(...keyed.map(([, row]) => row));
    });
  });

  if (rows.length > 1) {
    const input = element("input", { type: "search", autocomplete: "off", spellcheck: false });
    const count = element("span", { textContent: `${rows.length} rows` });
    count.setAttribute("role", "status");
    input.addEventListener("input", () => {
      closePanels();
      const wanted = input.value.replaceAll("−", "-").toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, place) => {
        row.hidden = !wanted.every((word) => texts[place].includes(word));
        shown += !row.hidden;
      });
      count.textContent = wanted.length ? `${shown} of ${rows.length} rows` : `${rows.length} rows`;
    });
    const tools = element("div", { className: "tools" }, element("label", {}, "Filter", input), count);
    table.closest(".scroll").before(tools);
  }

  for (const badge of body.querySelectorAll(".verdict")) if (note) badge.title = note.textContent.trim();

  body.querySelectorAll(".asks details").forEach((details, place) => {
    const code = details.querySelector("code");
    const row = details.closest("tr");
    const panel = element("tr", { className: "panel", id: `panel-${number}-${place}` });
    const button = element("button", { type: "button", textContent: "query" });
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-controls", panel.id);
    button.setAttribute("aria-label", `query of row ${place + 1}`);
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) { panel.remove(); return; }
      if (!panel.cells.length) {
        const how = element("div", { className: "how" });
        if (note) how.append(element("p", { textContent: note.textContent.trim() }));
        how.append(element("div", { className: "command" }, code, copyButton(code)));
        panel.append(element("td", { colSpan: row.cells.length }, how));
      }
      row.after(panel);
    });
    details.replaceWith(button);
  });
}

document.querySelectorAll("table.data").forEach(enhance);
document.querySelectorAll(".command").forEach((command) => command.append(copyButton(command.querySelector("code"))));
