// The marks of figures: each says what it is and leads to its row; builders and data sets are switched off and on; a
// figure of many marks is enlarged. All of it is read from the attributes of the marks, as the figure was drawn. In a
// narrow window the panels of a figure are below each other.

const MANY = 30, HERE = 2, NEAR = 6, EDGE = 8, LARGEST = 16, SHORT = 8, READABLE = 0.6, GAP = 12;
const PIXELS_A_POINT = 96 / 72;

const tip = element("div", { className: "tip", hidden: true });
tip.setAttribute("aria-hidden", "true");
document.body.append(tip);

// The marks at a point of the window, the one that is meant first, then from the top; each that says the same once.
function marksAt(x, y, meant) {
  const byLabel = new Map(meant ? [[meant.ariaLabel, meant]] : []);
  for (const by of [0, HERE, NEAR]) {
    if (by === NEAR && byLabel.size) break;
    for (const [across, down] of by ? [[-by, 0], [by, 0], [0, -by], [0, by]] : [[0, 0]]) {
      for (const hit of document.elementsFromPoint(x + across, y + down)) {
        const mark = hit.closest("figure.chart g[role=img]");
        if (mark && !byLabel.has(mark.ariaLabel)) byLabel.set(mark.ariaLabel, mark);
      }
    }
  }
  return [...byLabel.values()];
}

function marksOf(mark) {
  const box = mark.getBoundingClientRect();
  return marksAt(box.left + box.width / 2, box.top + box.height / 2, mark);
}

function rowOf(mark) {
  return mark.dataset.row ? document.getElementById(mark.dataset.row) : null;
}

// The tip names all marks, or as many as the window has lines for.
function showTip(marks, box) {
  const lines = marks.map((mark) => element("div", { textContent: mark.ariaLabel }));
  const more = element("div"), rows = element("div", { textContent: "Select a mark to see its row, query and tree" });
  tip.replaceChildren(...lines, ...marks.some(rowOf) ? [rows] : []);
  tip.hidden = false;
  for (let left = 1; tip.offsetHeight > innerHeight - 2 * EDGE && lines.length > 1; left += 1) {
    lines.pop().replaceWith(more);
    more.textContent = `and ${left} more here`;
  }
  const across = Math.min(box.left + box.width / 2 - tip.offsetWidth / 2, innerWidth - tip.offsetWidth - EDGE);
  const above = box.top - tip.offsetHeight - 6, down = above > EDGE / 2 ? above : box.bottom + 6;
  tip.style.left = `${Math.max(EDGE, across)}px`;
  tip.style.top = `${Math.max(EDGE, Math.min(down, innerHeight - tip.offsetHeight - EDGE))}px`;
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
  const entries = Array.from(picture.closest("figure").querySelectorAll(".key li"));
  for (const mark of picture.querySelectorAll("g")) {
    for (const { name, value } of mark.attributes) {
      if (!name.startsWith("data-of-")) continue;
      const group = groups.get(name) ?? groups.set(name, new Map()).get(name);
      (group.get(value) ?? group.set(value, []).get(value)).push(mark);
      belongs.set(mark, [...belongs.get(mark) ?? [], group.get(value)]);
    }
  }
  return Array.from(groups).filter(([, group]) => group.size > 1).map(([name, group]) => {
    const what = name.slice("data-of-".length).replaceAll("-", " "), short = group.size <= SHORT;
    const keyed = Array.from(group.keys(), (value) => entries.find((each) => each.textContent.trim() === value));
    const looks = Array.from(group.values(), (marks, index) => keyed[index]?.querySelector("svg").cloneNode(true) ?? swatch(marks));
    const drawn = looks.every(Boolean);  // a group shows the looks of all or of none
    const buttons = Array.from(group, ([value, marks], index) => {
      const button = element("button", { type: "button", className: "switch" }, ...drawn ? [looks[index]] : [], value);
      looks[index]?.querySelectorAll("[id]").forEach((node) => node.removeAttribute("id"));
      if (drawn && short) keyed[index]?.classList.add("switched");  // the button is the entry, but not on paper
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
    const named = `${what}:`;
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

// The mark of a builder as its figure draws it, filled where some of its marks are: those of other verdicts are not. None
// where its marks have several colours; the rings of printed values have none.
function swatch(marks) {
  const looks = marks.map((mark) => mark.querySelector("use"))
    .filter((use) => use?.getAttribute("fill") && Number(use.getAttribute("fill-opacity") ?? 1) > 0.5);  // no bands
  const colour = (use) => use.getAttribute(hollow(use) ? "stroke" : "fill");
  if (!looks.length || looks.some((use) => colour(use) !== colour(looks[0]))) return null;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "-6 -6 12 12");
  svg.setAttribute("width", 12 * PIXELS_A_POINT);
  svg.setAttribute("aria-hidden", "true");
  const use = (looks.find((each) => !hollow(each)) ?? looks[0]).cloneNode();
  for (const name of ["x", "y"]) use.removeAttribute(name);
  svg.append(use);
  return svg;
}

function hollow(use) {
  return use.getAttribute("fill") === "#ffffff";
}

// Enlarges a figure by its viewBox, by buttons, keys, or a rectangle drawn with the mouse.
function zoom(picture, centre) {
  let { x, y, width, height } = picture.viewBox.baseVal, view = { x, y, width };
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
    const [first, second] = [inside(from.clientX, from.clientY), inside(event.clientX, event.clientY)];
    const sides = { x: Math.min(first.x, second.x), y: Math.min(first.y, second.y), width: Math.abs(first.x - second.x), height: Math.abs(first.y - second.y) };
    for (const [name, value] of Object.entries(sides)) frame.setAttribute(name, value);
    picture.append(frame);
  });
  addEventListener("pointerup", (event) => {
    if (from && dragged) {
      const [first, second] = [inside(from.clientX, from.clientY), inside(event.clientX, event.clientY)];
      const wide = Math.max(Math.abs(first.x - second.x), Math.abs(first.y - second.y) * width / height);
      frame.remove();
      show({ x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 }, wide);
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

  // What the whole figure is changes where its panels are arranged otherwise.
  function arranged() {
    ({ x, y, width, height } = picture.viewBox.baseVal);
    view = { x, y, width };
  }

  function follow(mark) {
    const middle = middleOf(mark), high = view.width * height / width;
    const seen = middle.x > view.x && middle.x < view.x + view.width && middle.y > view.y && middle.y < view.y + high;
    if (!seen) show(middle, view.width);
  }
  return { tools, follow, arranged };
}

function boxOf(shape) {
  const { x, y, width, height } = shape.getBBox();
  return { left: x, top: y, right: x + width, bottom: y + height };
}

function group(...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "g");
  made.append(...children);
  return made;
}

// The panels of a figure. Names and ticks that a panel leaves to another of its row or column are copied into it, to be
// shown where it is alone in its row.
function panelsOf(picture) {
  const panels = Array.from(picture.querySelectorAll("g[id*=axes_]"), (own) => {
    const texts = Array.from(own.querySelectorAll("g[id*=text_]"), (text) => ({ text, box: boxOf(text) }));
    return { own, texts, frame: boxOf(own.querySelector(":scope > g[id*=patch_]") ?? own), copies: [] };
  });
  for (const [edge, shared, outside] of [
    ["left", "top", (text, frame) => text.right <= frame.left],
    ["bottom", "left", (text, frame) => text.top >= frame.bottom],
  ]) {
    const owned = panels.map(({ texts, frame }) => texts.filter(({ box }) => outside(box, frame)));
    panels.forEach(({ own, frame, copies }, index) => {
      const beside = panels.findIndex((other, at) => owned[at].length && Math.abs(other.frame[shared] - frame[shared]) < 1);
      if (owned[index].length || beside < 0) return;
      const moved = group(...owned[beside].map(({ text }) => text.cloneNode(true)));
      for (const text of moved.children) text.removeAttribute("id");
      const by = frame[edge] - panels[beside].frame[edge];
      moved.setAttribute("transform", edge === "left" ? `translate(${by} 0)` : `translate(0 ${by})`);
      copies.push(group(moved));
      own.append(copies.at(-1));
    });
  }
  for (const panel of panels) {
    const boxes = [panel.frame, ...panel.texts.map(({ box }) => box), ...panel.copies.map(boxOf)];
    for (const [side, of] of [["left", "min"], ["top", "min"], ["right", "max"], ["bottom", "max"]]) {
      panel[side] = Math[of](...boxes.map((box) => box[side]));
    }
  }
  return panels;
}

// On paper, small letters can be read, and the panels of a figure stay as they were drawn.
let printing = false;
addEventListener("beforeprint", () => { printing = true; });
addEventListener("afterprint", () => { printing = false; });

// Arranges the panels of a figure in as many columns as fit, where its window is narrow, and as they were drawn where not.
function arrangement(picture, changed) {
  const drawn = ["viewBox", "width"].map((name) => [name, picture.getAttribute(name)]);
  let parts = null, columns = 0;

  // What is arranged, measured when a window is narrow for the first time.
  function measured() {
    const panels = panelsOf(picture), lowest = Math.max(...panels.map(({ bottom }) => bottom));
    const below = Array.from(picture.querySelectorAll("g[id*=figure_] > g[id*=text_]"), (own) => ({ own, ...boxOf(own) }))
      .filter(({ top, bottom }) => bottom > top && bottom >= lowest);
    const left = Math.max(...panels.map((panel) => panel.frame.left - panel.left));
    const width = GAP + left + Math.max(...panels.map((panel) => panel.right - panel.frame.left));
    return { panels, below, left, width };
  }

  function arrange() {
    const wide = picture.parentElement.clientWidth;
    const narrow = drawn[1][1] * READABLE > wide && !printing;
    if (!narrow && !parts) return;
    const { panels, below, left, width } = parts ??= measured();
    const fitting = narrow ? Math.min(panels.length, Math.max(1, Math.floor(wide / width / PIXELS_A_POINT))) : 0;
    if (columns === (columns = fitting)) return;
    for (const { own, copies } of panels) copies.forEach((copy) => (narrow ? own.append(copy) : copy.remove()));
    for (const { own } of [...panels, ...below]) own.removeAttribute("transform");
    let down = 0, high = 0;
    const put = ({ own, top, bottom }, across, first, scale = 1) => {
      if (first) [down, high] = [down + high, 0];
      own.setAttribute("transform", `translate(${across} ${down - scale * top}) scale(${scale})`);
      high = Math.max(high, bottom - top + GAP);
    };
    if (narrow) {
      panels.forEach((panel, index) => put(panel, (index % columns) * width + left - panel.frame.left, index % columns === 0));
      for (const text of below) {
        const scale = Math.min(1, columns * width / (text.right - text.left + GAP));
        put(text, (columns * width - scale * (text.left + text.right)) / 2, true, scale);
      }
    }
    const arranged = { viewBox: `-2 -2 ${columns * width} ${down + high}`, width: Math.round(columns * width * PIXELS_A_POINT) };
    for (const [name, value] of drawn) picture.setAttribute(name, narrow ? arranged[name] : value);
    changed();
  }

  new ResizeObserver(arrange).observe(picture.parentElement);
  for (const event of ["beforeprint", "afterprint"]) addEventListener(event, arrange);
}

for (const picture of document.querySelectorAll("figure.chart .scroll svg")) {
  const marks = Array.from(picture.querySelectorAll("g > title"), (title) => {
    const mark = title.parentNode;
    mark.setAttribute("aria-label", title.textContent);
    mark.setAttribute("role", "img");
    title.remove();
    return mark;
  });
  // of a printed value and ours above it, which say the same, the latter is reached
  const reached = marks.filter((mark, index) => mark.ariaLabel !== marks[index + 1]?.ariaLabel);
  let current = null;
  const zoomed = reached.length >= MANY ? zoom(picture, () => current) : null;
  const keyed = [...picture.querySelectorAll("g[id*=legend_] :is(path, use)")].some((drawn) => !drawn.closest("g[id*=axes_], defs"));
  if (!keyed && picture.querySelectorAll("g[id*=axes_]").length > 1) arrangement(picture, () => zoomed?.arranged());
  if (!reached.length) continue;
  const tools = element("div", { className: "tools" }, ...switches(picture));
  if (zoomed) tools.append(zoomed.tools);
  picture.closest("figure").before(tools);
  picture.setAttribute("role", "group");
  picture.addEventListener("pointermove", (event) => {
    const hits = marksAt(event.clientX, event.clientY);
    current = hits[0] ?? current;
    if (!hits.length) return rest();
    const line = !hits[0].querySelector("use");
    showTip(hits, line ? new DOMRect(event.clientX, event.clientY) : hits[0].getBoundingClientRect());
  });
  picture.addEventListener("pointerleave", rest);
  picture.addEventListener("click", (event) => openMarks(marksAt(event.clientX, event.clientY)));
  reached.forEach((mark, index) => {
    mark.setAttribute("tabindex", index ? "-1" : "0");
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
      let next = index;
      do next = (next + step + reached.length) % reached.length;
      while (step && next !== index && reached[next].hasAttribute("display"));
      mark.setAttribute("tabindex", "-1");
      reached[next].setAttribute("tabindex", "0");
      reached[next].focus();
    });
  });
}
addEventListener("scroll", rest, { passive: true, capture: true });
for (const tree of document.querySelectorAll("figure.tree .scroll svg")) {
  tree.style.minWidth = `${READABLE * tree.getAttribute("width")}px`;  // a narrow window makes a tree no smaller
}
