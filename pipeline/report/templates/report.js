"use strict";
// The page is whole without this: it adds sorting, filtering, the query of a row below it, all that is known of a cell,
// and copying.

const REASONS = ["remark", "reason", "why"];  // columns that say why a value is as it is
const FEW = 4;  // rows that need no filter
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
  return numeric ? Number(text.replaceAll(",", "").replace("−", "-")) : text;
}

function compare(first, second, sign) {
  if (first === null || second === null) return (first === null) - (second === null);
  if (typeof first === "string") return sign * collator.compare(first, second);
  if (Number.isNaN(first) || Number.isNaN(second)) return Number.isNaN(first) - Number.isNaN(second);
  return sign * (first - second);
}

function enhance(table, number) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const headings = Array.from(table.tHead.rows[0].cells).filter((cell) => !cell.classList.contains("asks"));
  const note = document.getElementById(table.getAttribute("aria-describedby"));

  function closePanels() {
    for (const button of body.querySelectorAll("button[aria-expanded=true]")) button.click();
  }

  headings.forEach((heading, column) => {
    const button = element("button", { type: "button" }, element("span", {}, ...heading.childNodes));
    heading.replaceChildren(button);
    heading.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      closePanels();
      const next = { none: "ascending", ascending: "descending", descending: "none" }[heading.getAttribute("aria-sort")];
      headings.forEach((each) => each.setAttribute("aria-sort", each === heading ? next : "none"));
      const sign = next === "descending" ? -1 : 1;
      const numeric = heading.classList.contains("n");
      const keyed = rows.map((row) => [next === "none" ? 0 : key(row.cells[column], numeric), row]);
      keyed.sort(([first], [second]) => compare(first, second, sign));
      body.append(...keyed.map(([, row]) => row));
    });
  });

  if (rows.length > FEW) {
    const input = element("input", { type: "search", autocomplete: "off", spellcheck: false });
    const count = element("span", { textContent: `${rows.length} rows` });
    count.setAttribute("role", "status");
    let texts = null;
    input.addEventListener("input", () => {
      closePanels();
      texts ??= rows.map((row) => Array.from(row.cells).slice(0, headings.length)
        .map((cell) => cell.textContent).join(" ").replaceAll("−", "-").toLowerCase());
      const wanted = input.value.replaceAll("−", "-").toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, index) => {
        row.hidden = !wanted.every((word) => texts[index].includes(word));
        shown += !row.hidden;
      });
      count.textContent = wanted.length ? `${shown} of ${rows.length} rows` : `${rows.length} rows`;
    });
    const tools = element("div", { className: "tools" }, element("label", {}, "Filter", input), count);
    table.closest(".scroll").before(tools);
  }

  for (const badge of body.querySelectorAll(".verdict")) if (note) badge.title = note.textContent.trim();

  askable(table, rows);
  if (!table.classList.contains("runs")) stackable(table, headings, rows);

  body.querySelectorAll(".asks button").forEach((button, index) => {
    const row = button.closest("tr");
    const panel = element("tr", { className: "panel", id: `panel-${number}-${index}` });
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-controls", panel.id);
    button.setAttribute("aria-label", `query of row ${index + 1}`);
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) { panel.remove(); return; }
      if (!panel.cells.length) {
        const how = element("div", { className: "how" });
        if (note) how.append(element("p", { textContent: note.textContent.trim() }));
        how.append(command(codeOf(row)));
        panel.append(element("td", { colSpan: row.cells.length }, how));
      }
      row.after(panel);
    });
  });
}

// The rows of a table that its window is too narrow for become cards, in which each value has the name of its column. On
// wide windows, the style leaves them as they are.
function stackable(table, headings, rows) {
  const scroll = table.closest(".scroll");
  let width = 0;
  new ResizeObserver(() => {
    if (scroll.clientWidth === width) return;
    width = scroll.clientWidth;
    table.classList.remove("cards");
    if (table.scrollWidth <= width) return;
    for (const row of rows) headings.forEach((heading, column) => { row.cells[column].dataset.label = heading.textContent; });
    table.classList.add("cards");
  }).observe(scroll);
}

// The code of a row's query: its own, or that of its table, in whose slots its values are put. None if it has neither.
function codeOf(row) {
  const query = document.getElementById(row.closest("table").id.replace("rows-", "query-"));
  return query && row.dataset.slots ? filled(query, row) : row.querySelector(".asks code")?.cloneNode(true);
}

// The button of each row that has a query, which shows it below the row.
function askable(table, rows) {
  const asks = () => element("button", { type: "button", textContent: "query" });
  if (table.id && document.getElementById(table.id.replace("rows-", "query-"))) {
    table.tHead.rows[0].append(element("th", { scope: "col", className: "asks", textContent: "query" }));
    for (const row of rows) row.append(element("td", { className: "asks" }, asks()));
  }
  for (const details of table.querySelectorAll(".asks details")) {
    details.hidden = true;
    details.before(asks());
  }
}

function filled(query, row) {
  const code = element("code", {}, ...query.cloneNode(true).childNodes);
  const values = JSON.parse(row.dataset.slots);
  code.querySelectorAll("var").forEach((slot, index) => slot.replaceWith(values[index]));
  code.normalize();
  return code;
}

function command(code) {
  return element("div", { className: "command" }, code, copyButton(code));
}

// The values of a row by their headings.
function valuesOf(row) {
  return Array.from(row.closest("table").tHead.rows[0].cells)
    .map((heading, column) => [heading.textContent.replaceAll("_", " "), row.cells[column].textContent.trim()])
    .filter(([heading, value]) => value && heading !== "query");
}

function rowBehind(link) {
  return document.getElementById(decodeURIComponent(link.hash.slice(1)));
}

// The title of its table of the paper, if there are several, the names of its line, and that of its column.
function cellOf(link) {
  const above = link.closest(".scroll").previousElementSibling;
  const title = above?.matches("h4") ? above.textContent.trim() : "";
  const names = Array.from(link.closest("tr").querySelectorAll("th"), (name) => name.textContent.trim());
  return [title, ...names, link.closest("td").dataset.label].filter(Boolean).join(", ");
}

function noteOf(row) {
  return document.getElementById(row.closest("table").getAttribute("aria-describedby"));
}

// The whole sentences of a note that define a word, as `Else, agrees: its interval …` does.
function definitionsOf(word, note) {
  return note.split(/(?<=\.) /).filter((sentence) => new RegExp(`(?:^|[,;] )${word}(?:, \\w+)*: `).test(sentence));
}

// A dialog of rows, each below its title.
function showRows(entries, opener) {
  const close = element("button", { type: "button", textContent: "Close" });
  const title = element("h2", { id: "cell", textContent: entries[0].title });
  const dialog = element("dialog", {}, element("form", { method: "dialog" }, title, close));
  dialog.setAttribute("aria-labelledby", "cell");
  let left = false;
  const leave = () => { left = true; dialog.close(); };
  for (const [index, entry] of entries.entries()) {
    if (index) dialog.append(element("h3", { textContent: entry.title }));
    dialog.append(...explained(entry, leave));
  }
  addEventListener("hashchange", leave);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => {
    removeEventListener("hashchange", leave);
    dialog.remove();
    if (!left) opener.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

// Why a row is as it is: both values and the verdict, known reasons, its rule, all values, tree, query, whole note.
function explained({ row, link: opened }, leave) {
  const table = row.closest("table"), query = codeOf(row), note = noteOf(row);
  const link = opened ?? [...document.querySelectorAll(".laid a")].find((each) => each.hash === `#${row.id}`);
  const values = valuesOf(row), badge = row.querySelector(".verdict") ?? link?.querySelector(".ours + .mark");
  const content = [];
  if (link) {
    const [ours, printed] = [".ours", ".theirs"].map((part) => link.querySelector(part).textContent);
    content.push(element("p", { className: "both" }, `ours ${ours}, ${printed} `, ...badge ? [badge.cloneNode(true)] : []));
  }
  const { difference, tolerance, "difference low": low, "difference high": high } = Object.fromEntries(values);
  if (low) content.push(element("p", { textContent: `difference ${difference}, its 95 % interval ${low} to ${high}, tolerance ${tolerance}` }));
  const reasons = values.filter(([heading]) => REASONS.includes(heading));
  for (const [heading, value] of reasons) content.push(element("p", { className: "reason" }, element("b", { textContent: heading }), ` ${value}`));
  if (!reasons.length && badge?.classList.contains("differs")) content.push(element("p", { className: "reason", textContent: "No reason for the difference is known." }));
  const rules = badge ? definitionsOf(badge.lastChild.textContent.trim(), note?.textContent.trim() ?? "") : [];
  content.push(...rules.map((rule) => element("p", { className: "rule", textContent: rule })));
  const list = element("dl", { className: "made" });
  for (const [heading, value] of values.filter((each) => !reasons.includes(each))) {
    list.append(element("dt", { textContent: heading }), element("dd", { textContent: value }));
  }
  content.push(list, ...Array.from(table.closest(".table").querySelectorAll(".same"), (same) => same.cloneNode(true)));
  for (const number of row.dataset.drawn?.split(" ") ?? []) {
    const id = `tree-${number}`, title = document.querySelector(`#${id} figcaption`).textContent;
    const drawn = element("a", { href: `#${id}`, textContent: title });
    drawn.addEventListener("click", leave);
    content.push(element("p", {}, "A tree of this row: ", drawn));
  }
  if (row.dataset.tree) {
    const code = element("code", { textContent: `${table.dataset.show} ${row.dataset.tree}` });
    content.push(element("p", { textContent: "To see the tree of this row, or the first of its trees:" }), command(code));
  }
  if (query) content.push(element("p", { textContent: "To compute the numbers of this row again:" }), command(query));
  if (note?.textContent.trim()) content.push(element("p", { className: "note" }, ...note.cloneNode(true).childNodes));
  const to = element("a", { href: `#${link?.closest("td").id ?? row.id}`, textContent: "Show this row in its table" });
  to.addEventListener("click", leave);
  return [...content, element("p", {}, to)];
}

// A folded table is enhanced when it is opened.
document.querySelectorAll("table.data").forEach((table, number) => {
  const folded = table.closest("details.raw:not([open])");
  if (folded) folded.addEventListener("toggle", () => enhance(table, number), { once: true });
  else enhance(table, number);
});
document.querySelectorAll(".command").forEach((command) => command.append(copyButton(command.querySelector("code"))));
for (const table of document.querySelectorAll("table.laid")) {
  const hint = ({ target }) => {
    const link = target.closest("a");
    if (link) link.title ||= valuesOf(rowBehind(link)).map(([heading, value]) => `${heading}: ${value}`).join("\n");
  };
  table.addEventListener("pointerover", hint);
  table.addEventListener("focusin", hint);
  table.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    showRows([{ title: cellOf(link), row: rowBehind(link), link }], link);
  });
}
