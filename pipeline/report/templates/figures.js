// The marks of figures: each says what it is and leads to its row; builders and data sets are switched off and on; a
// figure of many marks is enlarged. All of it is read from the attributes of the marks, as the figure was drawn.

const MANY = 30, HERE = 2, NEAR = 6, MOST_SAID = 8, LARGEST = 16, SHORT = 8;

const tip = element("div", { className: "tip", hidden: true });
tip.setAttribute("aria-hidden", "true");
document.body.append(tip);

// The marks at a place of the window, the one that is meant first, then from the top; each that says the same once.
function marksAt(x, y, meant) {
  const found = new Map(meant ? [[meant.ariaLabel, meant]] : []);
  for (const by of [0, HERE, NEAR]) {
    if (by === NEAR && found.size) break;
    for (const [across, down] of by ? [[-by, 0], [by, 0], [0, -by], [0, by]] : [[0, 0]]) {
      for (const hit of document.elementsFromPoint(x + across, y + down)) {
        const mark = hit.closest("figure.chart g[role=img]");
        if (mark && !found.has(mark.ariaLabel)) found.set(mark.ariaLabel, mark);
      }
    }
  }
  return [...found.values()];
}

function marksOf(mark) {
  const box = mark.getBoundingClientRect();
  return marksAt(box.left + box.width / 2, box.top + box.height / 2, mark);
}

function rowOf(mark) {
  return mark.dataset.row ? document.getElementById(mark.dataset.row) : null;
}

function showTip(marks, box) {
  const lines = marks.slice(0, MOST_SAID).map((mark) => mark.ariaLabel);
  if (marks.length > MOST_SAID) lines.push(`and ${marks.length - MOST_SAID} more here`);
  if (marks.some(rowOf)) lines.push("Select for its row, its query and its tree");
  tip.replaceChildren(...lines.map((line) => element("div", { textContent: line })));
  tip.hidden = false;
  const left = Math.min(box.left + box.width / 2 - tip.offsetWidth / 2, innerWidth - tip.offsetWidth - 8);
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${box.top > tip.offsetHeight + 12 ? box.top - tip.offsetHeight - 6 : box.bottom + 6}px`;
}

// Where nothing is pointed at, the mark that the keyboard is on speaks.
function rest() {
  const mark = document.activeElement.closest("figure.chart g[role=img]");
  if (mark) showTip(marksOf(mark), mark.getBoundingClientRect());
  else tip.hidden = true;
}

function openMarks(marks) {
  const entries = marks.map((mark) => ({ title: mark.ariaLabel, row: rowOf(mark) })).filter(({ row }) => row);
  if (!entries.length) return;
  tip.hidden = true;
  showRows(entries, marks[0]);
}

// A row of buttons for each group that marks belong to: `data-of-builder`, `data-of-data-set`.
function switches(picture) {
  const groups = new Map(), belongs = new Map(), off = new Set();
  for (const mark of picture.querySelectorAll("g")) {
    for (const { name, value } of mark.attributes) {
      if (!name.startsWith("data-of-")) continue;
      const group = groups.get(name) ?? groups.set(name, new Map()).get(name);
      (group.get(value) ?? group.set(value, []).get(value)).push(mark);
      belongs.set(mark, [...belongs.get(mark) ?? [], group.get(value)]);
    }
  }
  return Array.from(groups).filter(([, group]) => group.size > 1).map(([name, group]) => {
    const what = name.slice("data-of-".length).replaceAll("-", " ");
    const buttons = Array.from(group, ([value, marks]) => {
      const button = element("button", { type: "button", className: "switch" }, ...swatch(marks), value);
      button.setAttribute("aria-pressed", "true");
      button.addEventListener("click", () => press(button, marks, button.getAttribute("aria-pressed") !== "true"));
      return [button, marks];
    });
    const all = element("button", { type: "button", className: "switch", textContent: "all" });
    all.setAttribute("aria-label", `all, ${what}`);
    all.addEventListener("click", () => {
      const on = buttons.some(([button]) => button.getAttribute("aria-pressed") !== "true");
      for (const [button, marks] of buttons) press(button, marks, on);
    });
    const named = `${what}:`, short = group.size <= SHORT;
    const row = element("div", { className: "switches" }, ...short ? [named] : [], ...buttons.map(([button]) => button), all);
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", what);
    return short ? row : element("details", {}, element("summary", { textContent: `${named} ${group.size}` }), row);
  });

  function press(button, marks, on) {
    button.setAttribute("aria-pressed", String(on));
    off[on ? "delete" : "add"](marks);
    for (const mark of marks) {
      if (belongs.get(mark).some((own) => off.has(own))) mark.setAttribute("display", "none");
      else mark.removeAttribute("display");
    }
  }
}

// The mark of a builder as its figure draws it, where all its marks but the rings of printed values are drawn alike.
function swatch(marks) {
  const looks = marks.map((mark) => mark.querySelector("use")).filter((one) => one?.getAttribute("fill"));
  const look = (one) => one.getAttribute("href") + one.getAttribute("fill") + one.getAttribute("stroke");
  if (!looks.length || looks.some((one) => look(one) !== look(looks[0]))) return [];
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "-6 -6 12 12");
  svg.setAttribute("aria-hidden", "true");
  const use = looks[0].cloneNode();
  for (const name of ["x", "y"]) use.removeAttribute(name);
  svg.append(use);
  return [svg];
}

// Enlarges a figure by its viewBox, by buttons, keys, or a rectangle drawn with the mouse.
function zoom(picture, centre) {
  const { x, y, width, height } = picture.viewBox.baseVal;
  let view = { x, y, width };
  const tools = element("div", { className: "switches" });
  tools.setAttribute("role", "group");
  tools.setAttribute("aria-label", "zoom");
  const steps = { "Zoom in": 2, "Zoom out": 0.5, "Whole figure": 0 };
  for (const [textContent, by] of Object.entries(steps)) {
    const button = element("button", { type: "button", className: "switch", textContent });
    button.addEventListener("click", () => enlarge(by));
    tools.append(button);
  }

  function show(middle, wide) {
    const size = Math.min(width, Math.max(width / LARGEST, wide));
    const high = size * height / width;
    view = {
      x: Math.min(x + width - size, Math.max(x, middle.x - size / 2)),
      y: Math.min(y + height - high, Math.max(y, middle.y - high / 2)),
      width: size,
    };
    picture.setAttribute("viewBox", `${view.x} ${view.y} ${size} ${high}`);
    tip.hidden = true;
  }

  function inside(clientX, clientY) {
    return new DOMPoint(clientX, clientY).matrixTransform(picture.getScreenCTM().inverse());
  }

  function middleOf(mark) {
    const box = mark.getBoundingClientRect();
    return inside(box.left + box.width / 2, box.top + box.height / 2);
  }

  function enlarge(by) {
    const own = centre(), mark = own?.hasAttribute("display") ? null : own;
    const middle = mark ? middleOf(mark) : { x: view.x + view.width / 2, y: view.y + view.width * height / width / 2 };
    show(middle, by ? view.width / by : width);
  }

  let from = null, dragged = false;
  const frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  frame.setAttribute("class", "frame");
  picture.addEventListener("pointerdown", (event) => {
    dragged = false;
    if (event.pointerType === "mouse" && event.button === 0) from = event;
  });
  addEventListener("pointermove", (event) => {
    if (!from || !dragged && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < 2 * NEAR) return;
    dragged = true;
    const [one, other] = [inside(from.clientX, from.clientY), inside(event.clientX, event.clientY)];
    const sides = { x: Math.min(one.x, other.x), y: Math.min(one.y, other.y), width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y) };
    for (const [name, value] of Object.entries(sides)) frame.setAttribute(name, value);
    picture.append(frame);
  });
  addEventListener("pointerup", (event) => {
    if (from && dragged) {
      const [one, other] = [inside(from.clientX, from.clientY), inside(event.clientX, event.clientY)];
      const wide = Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y) * width / height);
      frame.remove();
      show({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }, wide);
    }
    from = null;
  });
  picture.addEventListener("click", (event) => { if (dragged) event.stopImmediatePropagation(); }, { capture: true });
  picture.addEventListener("keydown", (event) => {
    const by = { "+": 2, "=": 2, "-": 0.5, 0: 0 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    enlarge(by);
  });

  function follow(mark) {
    const middle = middleOf(mark), high = view.width * height / width;
    const seen = middle.x > view.x && middle.x < view.x + view.width && middle.y > view.y && middle.y < view.y + high;
    if (!seen) show(middle, view.width);
  }
  return { tools, follow };
}

for (const picture of document.querySelectorAll("figure.chart svg")) {
  const marks = Array.from(picture.querySelectorAll("g > title"), (title) => {
    const mark = title.parentNode;
    mark.setAttribute("aria-label", title.textContent);
    mark.setAttribute("role", "img");
    title.remove();
    return mark;
  });
  // of a printed value and ours above it, which say the same, the latter is reached
  const reached = marks.filter((mark, place) => mark.ariaLabel !== marks[place + 1]?.ariaLabel);
  if (!reached.length) continue;
  let current = null;
  const tools = element("div", { className: "tools" }, ...switches(picture));
  const zoomed = reached.length >= MANY ? zoom(picture, () => current) : null;
  if (zoomed) tools.append(zoomed.tools);
  picture.closest("figure").before(tools);
  picture.setAttribute("role", "group");
  picture.addEventListener("pointermove", (event) => {
    const found = marksAt(event.clientX, event.clientY);
    current = found[0] ?? current;
    if (!found.length) return rest();
    const line = !found[0].querySelector("use");
    showTip(found, line ? new DOMRect(event.clientX, event.clientY) : found[0].getBoundingClientRect());
  });
  picture.addEventListener("pointerleave", rest);
  picture.addEventListener("click", (event) => openMarks(marksAt(event.clientX, event.clientY)));
  reached.forEach((mark, place) => {
    mark.setAttribute("tabindex", place ? "-1" : "0");
    mark.addEventListener("focus", () => {
      current = mark;
      zoomed?.follow(mark);
      showTip(marksOf(mark), mark.getBoundingClientRect());
    });
    mark.addEventListener("blur", () => { tip.hidden = true; });
    mark.addEventListener("keydown", (event) => {
      if (event.key === "Escape") tip.hidden = true;
      if (event.key === "Enter" || event.key === " ") openMarks(marksOf(mark));
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key] ?? 0;
      if (!step && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      let next = place;
      do next = (next + step + reached.length) % reached.length;
      while (step && next !== place && reached[next].hasAttribute("display"));
      mark.setAttribute("tabindex", "-1");
      reached[next].setAttribute("tabindex", "0");
      reached[next].focus();
    });
  });
}
addEventListener("scroll", rest, { passive: true, capture: true });
