// On the index: runs are chosen to be compared, and tags choose the runs that are listed. On a page of compared runs: it
// is narrowed to the runs that are chosen, which its address names after the #.
{
  const figure = (value, signed) => {
    if (!Number.isFinite(value)) return "NaN";
    const [digits, power] = Math.abs(value).toExponential(60).split("e");
    const halfway = /^\d\.\d\d[02468]50*$/.test(digits);  // between two numbers, of which Python takes the even one
    const rounded = halfway ? Number(`${digits.slice(0, 5)}e${power}`) : Number(Math.abs(value).toPrecision(4));
    return (!rounded ? "" : value < 0 ? "−" : signed ? "+" : "") + rounded;
  };
  const least = (values) => Math.min(...values), greatest = (values) => Math.max(...values);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const range = (values) => `${figure(least(values))} to ${figure(greatest(values))}`;
  const show = (node, shown) => shown ? node.removeAttribute("display") : node.setAttribute("display", "none");
  const named = () => decodeURIComponent(location.hash.slice(1));

  function checkbox(label, change) {
    const box = element("input", { type: "checkbox" });
    box.setAttribute("aria-label", label);
    box.addEventListener("change", change);
    return box;
  }

  function index(table) {
    const rows = Array.from(table.tBodies[0].rows);
    const boxes = new Map();
    const link = element("a", { textContent: "Compare" });
    const status = element("span");
    status.setAttribute("role", "status");
    const clear = element("button", { type: "button", textContent: "Clear" });
    const bar = element("div", { className: "choice" }, status, link, clear);
    const change = () => {
      const chosen = [...boxes].filter(([, box]) => box.checked).map(([row]) => row);
      const { grid, page } = chosen[0]?.dataset ?? {};
      boxes.forEach((box, row) => { box.disabled = chosen.length > 0 && row.dataset.grid !== grid; });
      clear.hidden = !chosen.length;
      link.hidden = chosen.length < 2;
      status.textContent = chosen.length > 1 ? `${chosen.length} runs of ${grid}`
        : chosen.length ? `1 run of ${grid}: choose another` : "Choose runs of one grid to compare them";
      if (page) link.href = `${page}#${chosen.map((row) => row.dataset.run).join(",")}`;
    };
    for (const row of rows.filter((each) => each.dataset.page)) {
      const box = checkbox(`compare run ${row.dataset.run}`, change);
      boxes.set(row, box);
      row.cells[0].prepend(box);
    }
    clear.addEventListener("click", () => { boxes.forEach((box) => { box.checked = false; }); change(); });
    if (boxes.size) table.closest(".scroll").after(bar);
    change();

    const all = element("a", { href: "#", textContent: "show all" });
    const only = element("p", { className: "only", hidden: true });
    table.closest(".scroll").before(only);
    const tagged = () => {
      const tag = named().startsWith("tag=") ? named().slice(4) : "";
      const counts = rows.map((row) => !tag || row.dataset.tags.split(" ").includes(tag));
      rows.forEach((row, index) => row.classList.toggle("untagged", !counts[index]));
      only.hidden = !tag;
      only.replaceChildren(`Runs with the tag ${tag}: ${counts.filter(Boolean).length} of ${rows.length}; `, all);
    };
    addEventListener("hashchange", tagged);
    tagged();
  }

  function comparison(section) {
    const ids = section.dataset.runs.split(" ");
    const lanes = section.dataset.lanes.split(" ");
    const choice = Array.from(section.querySelectorAll("tbody tr"));
    const keys = section.querySelector("thead tr").cells;
    const finding = document.querySelector(".finding bdi");
    const whole = finding.textContent;

    // Whether runs of a lane are enough for a band, as Python decides it.
    function banded(shown) {
      const counts = Object.values(Object.groupBy(shown, (run) => lanes[run]));
      return counts.some((runs) => runs.length >= Number(section.dataset.band));
    }

    const together = (shown) => banded(shown) ? "mean (range)" : shown.size > 2 ? "range" : "difference";

    function summary(values, shown, text) {
      const there = [...values].filter(([run, value]) => shown.has(run) && value !== null);
      if (text) {
        if (shown.size === 2) return "";
        const counts = new Map();
        for (const [, value] of there) counts.set(value, (counts.get(value) ?? 0) + 1);
        return [...counts].map(([value, count]) => `${value} ${count}`).join(", ");
      }
      const numbers = there.map(([, value]) => value);
      if (!banded(shown)) {
        if (shown.size > 2) return range(numbers);
        return numbers.length === 2 ? figure(numbers[1] - numbers[0], true) : "";
      }
      const several = new Set([...shown].map((run) => lanes[run])).size > 1;
      return [...new Set(there.map(([run]) => lanes[run]))].map((lane) => {
        const own = there.filter(([run]) => lanes[run] === lane).map(([, value]) => value);
        const before = several ? `${section.dataset[`lane${lane}`]}: ` : "";
        return `${before}${figure(mean(own))}${own.length > 1 ? ` (${range(own)})` : ""}`;
      }).join("\n");
    }

    function line(row, shown) {
      const sum = row.querySelector(".sum");
      const text = "text" in sum.dataset;
      const values = new Map();
      for (const cell of row.querySelectorAll("td[data-run]")) {
        const value = cell.dataset.v ?? cell.textContent.trim();
        if ("none" in cell.dataset) values.set(Number(cell.dataset.run), null);
        else if (value !== "") values.set(Number(cell.dataset.run), text ? value : Number(value));
      }
      row.hidden = new Set([...values].filter(([run]) => shown.has(run)).map(([, value]) => String(value))).size < 2;
      if (row.hidden) return;
      sum.textContent = summary(values, shown, text);
      sum.dataset.label = together(shown);
      const at = new Map();
      for (const mark of row.querySelectorAll("use[data-run]")) {
        const run = Number(mark.dataset.run);
        show(mark, shown.has(run));
        if (shown.has(run)) at.set(lanes[run], [...(at.get(lanes[run]) ?? []), Number(mark.getAttribute("x"))]);
      }
      for (const band of row.querySelectorAll("[data-lane]")) {
        const own = at.get(band.dataset.lane) ?? [];
        const bar = band.classList.contains("mean");
        show(band, banded(shown) && own.length > 1);
        if (!own.length) continue;
        if (bar) band.setAttribute("x", mean(own) - 1.5);
        else { band.setAttribute("x1", least(own)); band.setAttribute("x2", greatest(own)); }
      }
    }

    function narrow() {
      const wanted = named().split(",").filter((id) => ids.includes(id));
      const shown = new Set([...ids.keys()].filter((run) => !wanted.length || wanted.includes(ids[run])));
      choice.forEach((row, run) => {
        row.classList.toggle("out", !shown.has(run));
        row.querySelector("input").checked = shown.has(run);
      });
      for (let column = 1; column < keys.length; column += 1) {
        const own = choice.filter((_, run) => shown.has(run)).map((row) => row.cells[column].textContent);
        for (const row of [section.querySelector("thead tr"), ...choice]) row.cells[column].hidden = new Set(own).size < 2;
      }
      let total = 0;
      for (const table of document.querySelectorAll("table.compared")) {
        table.classList.toggle("many", shown.size > Number(section.dataset.many));
        table.classList.toggle("bands", banded(shown));
        for (const cell of table.querySelectorAll(".value[data-run]")) cell.hidden = !shown.has(Number(cell.dataset.run));
        let differing = 0;
        for (const body of table.tBodies) {
          const rows = Array.from(body.rows).slice(1);
          rows.forEach((row) => line(row, shown));
          const left = rows.filter((row) => !row.hidden).length;
          body.hidden = !left;
          differing += left;
          body.rows[0].querySelector(".sum").textContent = together(shown);
        }
        const sentence = table.closest("section").querySelector(".differing");
        sentence.dataset.whole ??= sentence.textContent;
        sentence.textContent = wanted.length ? sentence.dataset.whole.replace(/^[\d,]+/, differing.toLocaleString("en"))
          : sentence.dataset.whole;
        table.closest("section").hidden = !differing;
        total += differing;
      }
      finding.textContent = wanted.length
        ? `${shown.size} of ${ids.length} runs; cells of their tables that differ: ${total.toLocaleString("en")}.` : whole;
    }

    choice.forEach((row, run) => {
      row.cells[0].prepend(checkbox(`compare run ${ids[run]}`, () => {
        const chosen = ids.filter((_, index) => choice[index].querySelector("input").checked);
        location.hash = chosen.length < ids.length ? chosen.join(",") : "";
      }));
    });
    addEventListener("hashchange", narrow);
    narrow();
  }

  const table = document.querySelector("table.runs");
  if (table) index(table);
  const section = document.getElementById("compared");
  if (section) comparison(section);
}
