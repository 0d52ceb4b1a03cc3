R"page(
// ---- What the page says. ----

const element = (id) => document.getElementById(id);
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
const press = (button, pressed) => button.setAttribute("aria-pressed", String(pressed));

/** Title, caption, banner, parameters and what the numbers are worth. */
function writeTexts(recording) {
  const { scene } = recording, { outcome } = scene;
  document.title = element("title").textContent = scene.title;
  element("caption").textContent = scene.caption;

  const banner = element("banner");
  const { name: variable } = recording.variable, unit = unitText(recording.variable.unit);
  if (outcome.error !== null) {
    const of = outcome.planned === null ? "" : ` of ${numberText(outcome.planned)}${unit}`;
    banner.textContent = `Ended at ${variable} = ${numberText(outcome.reached, 6)}${unit}${of}: ${outcome.error}`;
    banner.hidden = false;
  }

  element("apart").textContent = farApart(recording);

  const { parameters } = scene;
  for (const { name, value, unit } of parameters) {
    const row = make("div");
    row.append(make("dt", { textContent: name }), make("dd", { textContent: value + unitText(unit) }));
    element("parameters").append(row);
  }
  element("about").open = parameters.length <= 12;
  element("about").hidden = parameters.length === 0;

  const facts = [scene.library];
  if (scene.frames > 0 && scene.shapes.length > 0) {
    const at = (i) => numberText(recording.times[i], 12) + unit;
    facts.push(scene.frames === 1 ? `1 frame, at ${at(0)}` : `${scene.frames} frames from ${at(0)} to ${at(scene.frames - 1)}`);
    const share = Math.max(...scene.low.map((x, i) => scene.high[i] - x)) / scene.quantum;
    facts.push(`positions to ${numberText(scene.quantum, 2)} m (1/${Math.round(share)} of the scene's longest side), rotations to ${numberText(scene.turn_error, 2)} rad`);
    const thinnest = Math.min(...scene.shapes.flatMap((shape) => (shape.kind === "tube" ? shape.radius : [])));
    if (scene.quantum > 0.1 * thinnest) facts.push(`coarse beside the thinnest tube, whose radius is ${numberText(thinnest, 3)} m`);
    const come = recording.shapes.some(({ kind }) => kind === "contacts") ? ", contacts as in the nearer one" : "";
    facts.push("between frames: positions on straight lines, rotations by weighted quaternions" + come);
  }
  element("facts").textContent = facts.join(" · ") + ".";
}

/** Names beside colours; a click shows or hides. Shapes that differ by a number alone are one entry where there are many, arrows of one name too. */
function writeLegend(recording, changed) {
  const stem = (name) => name.replace(/[\s_-]*\d+([\s_,-]*\d+)*$/, "");
  const many = recording.shapes.length > 8;
  const groups = new Map();
  const enter = (key, name, flag, shape) => {
    if (!groups.has(key)) groups.set(key, { name, flag, shapes: [] });
    groups.get(key).shapes.push(shape);
  };
  for (const shape of recording.shapes) {
    const name = many ? stem(shape.name) || shape.name : shape.name;
    enter(`${shape.kind} ${name} ${shape.colour}`, name, "shown", shape);
  }
  for (const shape of recording.shapes) {
    if (shape.arrow && shape.arrow.longest > 0) enter(`arrow ${shape.arrow.name} ${shape.colour}`, shape.arrow.name, "arrowShown", shape);
    if (shape.path) enter(`path ${shape.kind} ${shape.colour}`, `path of ${shape.name}`, "pathShown", shape);
  }
  const entries = [...groups.values()].map(({ name, flag, shapes }) => {
    const button = make("button", { type: "button", title: `show or hide ${name}` }), swatch = make("i");
    press(button, true);
    if (flag !== "shown") swatch.className = flag === "arrowShown" ? "arrow" : "path";
    const alone = flag === "shown" ? shapes[0].name : name, all = flag === "pathShown" ? "paths" : name;
    button.append(swatch, shapes.length === 1 ? alone : `${all} × ${shapes.length}`);
    button.addEventListener("click", () => {
      const shown = !shapes[0][flag];
      for (const shape of shapes) shape[flag] = shown;
      changed();
    });
    element("legend").append(button);
    return { button, swatch, shapes, flag };
  });
  return {
    paint(theme) {
      for (const { swatch, shapes } of entries) swatch.style.background = paletteColour(theme, shapes[0].colour);
    },
    update() {
      for (const { button, shapes, flag } of entries) press(button, shapes.some((shape) => shape[flag]));
    },
  };
}

/** A bar of a round length, as long as the present view makes it. */
class ScaleBar {
  constructor() {
    this.bar = make("span", { id: "bar" });
    this.label = document.createTextNode("");
    this.line = make("div");
    this.line.append(this.label, this.bar);
    this.pixel = 0; // [m]
  }
  update(pixel) {
    if (pixel === this.pixel) return;
    this.pixel = pixel;
    const length = roundNumber(130 * pixel);
    this.label.data = `${numberText(length, 3)} m`;
    this.bar.style.width = `${length / pixel}px`;
  }
}

/** What arrows and grids measure. */
function writeScales(recording, planes, bar, tints) {
  const lines = new Set();
  for (const { arrow, most } of recording.shapes) {
    if (!arrow || !(arrow.longest > 0)) continue;
    const more = most > arrow.longest ? ` and more, up to ${numberText(most, 3)}` : "";
    lines.add(`longest arrow, ${arrow.name}: ${numberText(arrow.longest, 3)}${more}${unitText(arrow.unit)}`);
  }
  for (const plane of planes) lines.add(`grid: ${numberText(plane.grid, 3)} m`);
  const measures = [...lines].map((text) => make("div", { textContent: text }));
  element("scales").replaceChildren(...measures, tints, bar.line);
}
)page"
