R"page(
// ---- The recording: what moved where. ----
// The page carries a description, JSON, and its numbers, base64 of little-endian arrays. A position is three 16-bit numbers of quanta
// from the corner of a box; a rotation three 15-bit numbers, the smaller components of its unit quaternion.

const NOTHING = 65535; // in place of a position: nothing is there

/** The bytes that a base64 text stands for; line breaks in it do not count. */
function bytesOfBase64(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
  return bytes.buffer;
}

/** The last place whose number is not above `value`, or 0, in an increasing array. */
function lastNotAbove(numbers, value) {
  let low = 0, high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A moment between two frames. */
class Moment {
  constructor() {
    this.frame = 0;    // the one before
    this.fraction = 0; // how far to the next, 0 to 1
  }
  set(times, time) {
    this.frame = times.length ? lastNotAbove(times, time) : 0;
    const next = this.frame + 1;
    const gap = next < times.length ? times[next] - times[this.frame] : 0;
    const fraction = gap > 0 ? (time - times[this.frame]) / gap : 0;
    this.fraction = fraction < 1e-9 ? 0 : Math.min(fraction, 1);
    if (this.fraction > 1 - 1e-9) {
      this.frame = next;
      this.fraction = 0;
    }
    return this;
  }
}

const LEVEL = Math.SQRT2 / 32767; // of a rotation's components
const turnA = new Float64Array(4), turnB = new Float64Array(4);

/** The unit quaternion (w, x, y, z) that three words stand for. */
function decodeTurn(words, at, q) {
  const largest = (words[at] >> 15) | ((words[at + 1] >> 15) << 1);
  let rest = 1, from = at;
  for (let k = 0; k < 4; ++k) {
    if (k === largest) continue;
    q[k] = (words[from++] & 32767) * LEVEL - Math.SQRT1_2;
    rest -= q[k] * q[k];
  }
  q[largest] = Math.sqrt(Math.max(0, rest));
}

/** Where one shape is, over time. */
class Track {
  constructor(shape, recording) {
    const { buffer, scene } = recording;
    this.low = scene.low.map((x, i) => x - recording.origin[i]);
    this.quantum = scene.quantum;
    this.nodes = shape.nodes || 1;
    this.still = shape.still || scene.frames < 1;
    this.frames = shape.still ? 1 : scene.frames;
    this.starts = shape.starts === undefined ? null : new Uint32Array(buffer, shape.starts, scene.frames + 1); // of contacts
    const count = 3 * (this.starts ? this.starts[scene.frames] : this.nodes * this.frames);
    this.words = new Uint16Array(buffer, shape.positions, count);
    this.turnWords = shape.turns === undefined ? null : new Uint16Array(buffer, shape.turns, count);
    this.arrows = shape.arrow ? new Float32Array(buffer, shape.arrow.values, count) : null;
  }

  /** Where a node's numbers begin, and those of the next frame; contacts come and go, and are those of the nearer frame. */
  places({ frame, fraction }, node) {
    const { starts } = this;
    if (starts) {
      frame += Math.round(fraction);
      const at = starts[frame] + node;
      return at < starts[frame + 1] ? [3 * at, 3 * at, 0] : [NaN];
    }
    const i = 3 * ((this.still ? 0 : frame) * this.nodes + node);
    return this.still || fraction === 0 ? [i, i, 0] : [i, i + 3 * this.nodes, fraction];
  }

  gone(i) {
    const { words, turnWords } = this;
    return !(i < words.length) || words[i] === NOTHING || (turnWords && turnWords[i + 2] === NOTHING);
  }

  /** A node's position at a moment, on the line between two frames, into out[at …]; whether it is in both. */
  position(moment, node, out, at) {
    const { words, low, quantum } = this, [i, j, fraction] = this.places(moment, node);
    if (this.gone(i) || this.gone(j)) return false;
    for (let k = 0; k < 3; ++k)
      out[at + k] = low[k] + quantum * (words[i + k] + fraction * (words[j + k] - words[i + k]));
    return true;
  }

  /** All nodes at a moment, twelve numbers each: place, _, rotation, _, _, _, _; whether all are there. */
  sections(moment, out) {
    for (let k = 0, at = 0; k < this.nodes; ++k, at += 12) {
      if (!this.position(moment, k, out, at)) return false;
      this.turn(moment, k, out, at + 4);
    }
    return true;
  }

  /** Likewise in each frame, or null. */
  *frameSections() {
    for (const moment = new Moment(); moment.frame < this.frames; ++moment.frame) {
      const n = new Float32Array(12 * this.nodes);
      yield this.sections(moment, n) ? n : null;
    }
  }

  /** A node's rotation at a moment, as x, y, z, w: the two frames' quaternions weighted, of length one. */
  turn(moment, node, out, at) {
    const [i, j, fraction] = this.places(moment, node);
    decodeTurn(this.turnWords, i, turnA);
    let a = 1, b = 0;
    if (fraction > 0) {
      decodeTurn(this.turnWords, j, turnB);
      const same = turnA[0] * turnB[0] + turnA[1] * turnB[1] + turnA[2] * turnB[2] + turnA[3] * turnB[3];
      a = 1 - fraction;
      b = same < 0 ? -fraction : fraction; // q and −q are the same rotation
    }
    let square = 0;
    for (let k = 0; k < 4; ++k) {
      turnA[k] = a * turnA[k] + b * turnB[k];
      square += turnA[k] * turnA[k];
    }
    const scale = 1 / Math.sqrt(square);
    for (let k = 0; k < 4; ++k) out[at + k] = scale * turnA[(k + 1) % 4];
  }

  /** A point's arrow at a moment, `longest` and more being `length` long; how long it is, or NaN. */
  arrow(moment, node, longest, length, out) {
    const { arrows } = this, [i, j, fraction] = this.places(moment, node);
    for (let k = 0; k < 3; ++k) out[k] = arrows[i + k] + (fraction && fraction * (arrows[j + k] - arrows[i + k]));
    const size = norm(out), scale = length / Math.max(size, longest);
    for (let k = 0; k < 3; ++k) out[k] *= scale;
    return scale * size;
  }
}

/** All that the page holds. */
class Recording {
  constructor(scene, buffer) {
    if (scene.format !== 1) throw new Error(`the data have the format ${scene.format}, and this page reads the format 1`);
    this.scene = scene;
    this.variable = scene.variable ?? { name: "t", unit: "s" }; // what runs: time, as a rule
    this.buffer = buffer;
    this.origin = scene.low.map((x, i) => (x + scene.high[i]) / 2); // what is drawn lies about it: pictures are made in single precision
    this.times = new Float64Array(buffer, scene.times, scene.frames);
    this.shapes = scene.shapes.map((shape) => ({
      ...shape,
      track: shape.positions === undefined ? null : new Track(shape, this),
      shown: true,
      arrowShown: true,
      pathShown: true,
    }));
    this.panels = scene.panels.map((panel) => ({
      ...panel,
      times: new Float64Array(buffer, panel.times, panel.rows),
      curves: panel.curves.map((curve) => ({ name: curve.name, values: new Float64Array(buffer, curve.values, panel.rows) })),
    }));

    // The axes of panels span frames and panels; what plays is what moves, if anything does.
    let begin = Infinity, end = -Infinity;
    for (const times of [this.times, ...this.panels.map((panel) => panel.times)]) {
      if (!times.length) continue;
      begin = Math.min(begin, times[0]);
      end = Math.max(end, times[times.length - 1]);
    }
    this.begin = begin <= end ? begin : 0;
    this.end = begin <= end ? end : 0;
    const moves = this.times.length > 1;
    this.first = moves ? this.times[0] : this.begin;
    this.last = moves ? this.times[this.times.length - 1] : this.end;
    this.moment = new Moment(); // the one that is shown
  }

  /** The recording within this page. */
  static read() {
    const scene = JSON.parse(element("scene").textContent);
    return new Recording(scene, bytesOfBase64(element("data").textContent));
  }
}
)page"
