R"page(
// ---- Strains of tubes as colours, and frames that are too far apart. ----

const MEASURES = ["plain", "curvature", "twist", "stretch"];
const SHADES = ["#1a4fc0", "#4a9fe8", "#a6aeb8", "#f0a830", "#c8281e"]; // from −1 by 0 to 1

/** Of the piece of a tube whose first node's numbers begin at `a`: curvature, twist about the third axis [1/m], or
 *  the length [m]. */
function pieceStrain(measure, n, a) {
  const b = a + 12, length = Math.hypot(n[b] - n[a], n[b + 1] - n[a + 1], n[b + 2] - n[a + 2]);
  if (measure === 3) return length;
  // the second node's rotation as the first one sees it
  const w = n[a + 7] * n[b + 7] + n[a + 4] * n[b + 4] + n[a + 5] * n[b + 5] + n[a + 6] * n[b + 6];
  const part = (i, j, k) => n[a + 7] * n[b + i] - n[b + 7] * n[a + i] - n[a + j] * n[b + k] + n[a + k] * n[b + j];
  const x = part(4, 5, 6), y = part(5, 6, 4), z = part(6, 4, 5), sine = Math.hypot(x, y, z);
  const scale = (sine > 1e-9 ? (2 * Math.atan2(sine, Math.abs(w))) / sine : 2) / (length || Infinity);
  return measure === 1 ? scale * Math.hypot(x, y) : w < 0 ? -scale * z : scale * z;
}

class Strains {
  constructor(recording) {
    this.recording = recording;
    this.tubes = recording.shapes.filter((shape) => shape.kind === "tube");
    this.shades = SHADES.map(linearColour);
    this.measure = 0; // of MEASURES
    this.ranges = []; // of each measure: the run's largest magnitude, and what roundings make of zero
  }
  /** The strain at each piece of a tube, from its sections. */
  of(shape, n, measure) {
    const values = (shape.strains ??= new Float64Array(shape.track.nodes - 1));
    for (let k = 0; k < values.length; ++k) values[k] = pieceStrain(measure, n, 12 * k);
    if (measure !== 3) return values;
    shape.rest ??= values.slice(); // as in the first frame in which it is anywhere
    for (let k = 0; k < values.length; ++k) values[k] = values[k] / shape.rest[k] - 1;
    return values;
  }
  choose(measure) {
    this.measure = measure;
    if (!measure || this.ranges[measure]) return;
    let largest = 0, shortest = Infinity;
    for (const shape of this.tubes)
      for (const n of shape.track.frameSections()) {
        if (!n) continue;
        for (const value of this.of(shape, n, measure)) largest = Math.max(largest, Math.abs(value));
        for (let a = 0; a + 12 < n.length; a += 12) shortest = Math.min(shortest, pieceStrain(3, n, a));
      }
    const { quantum, turn_error: turnError } = this.recording.scene;
    this.ranges[measure] = [largest, (2 * (measure === 3 ? quantum : turnError)) / shortest];
  }
  get range() {
    return Math.max(...this.ranges[this.measure]) || 1;
  }
  /** Give the sections of a tube their colours. */
  paint(shape, n) {
    const { measure, shades } = this, values = measure ? this.of(shape, n, measure) : null;
    for (let k = 0, at = 8; at < n.length && k < shape.track.nodes; ++k, at += 12) {
      n[at + 3] = measure ? 1 : 0;
      if (!measure) continue;
      const mean = (values[Math.max(k - 1, 0)] + values[Math.min(k, values.length - 1)]) / 2;
      const place = 2 + 2 * clamp(mean / this.range, -1, 1), i = Math.min(Math.floor(place), 3);
      for (let c = 0; c < 3; ++c) n[at + c] = shades[i][c] + (place - i) * (shades[i + 1][c] - shades[i][c]);
    }
  }
  /** What the colours mean, into an element. */
  explain(line) {
    line.hidden = !this.measure;
    if (!this.measure) return;
    const { measure, range } = this, [largest, error] = this.ranges[measure], bar = make("i");
    bar.style.background = `linear-gradient(90deg, ${SHADES.slice(measure === 1 ? 2 : 0)})`;
    const low = numberText(measure === 1 ? 0 : -range, 3), unit = measure === 3 ? "" : " 1/m";
    const rounded = error > 0.02 * largest ? `, rounded by ${numberText(error, 2)}` : "";
    line.replaceChildren(`${MEASURES[measure]} ${low} `, bar, ` ${numberText(range, 3)}${unit}${rounded}`);
  }
}

/** A sentence about frames between which bodies or tubes go or turn farther than lines between them show; or none. */
function farApart({ scene, shapes, times, variable }) {
  const gaps = new Set();
  let worst = 1, what = "";
  for (const { name, track } of shapes) {
    if (!track || track.still || !track.turnWords) continue;
    let before = null, frame = -1;
    for (const n of track.frameSections()) {
      ++frame;
      for (let k = 0; n && before && k < n.length; k += 12) {
        const part = (i) => before[k + i] * n[k + i], cosine = Math.abs(part(4) + part(5) + part(6) + part(7));
        const angle = (360 / Math.PI) * Math.acos(Math.min(1, cosine));
        const way = Math.hypot(n[k] - before[k], n[k + 1] - before[k + 1], n[k + 2] - before[k + 2]);
        const excess = Math.max(angle / 60, (4 * way) / scene.size);
        if (excess > 1) gaps.add(frame);
        if (excess <= worst) continue;
        worst = excess;
        const does = angle / 60 === excess ? `turns by ${numberText(angle, 2)}°` : `moves by ${numberText(way, 3)} m`;
        const [from, to] = [frame - 1, frame].map((i) => numberText(times[i], 5));
        what = `${name} ${does} from ${variable.name} = ${from} to ${to}${unitText(variable.unit)}`;
      }
      before = n;
    }
  }
  return what && `Frames are too far apart here: ${what}; so they are in ${gaps.size} of ${times.length - 1} gaps.`;
}
)page"
