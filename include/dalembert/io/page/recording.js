R"page(
// ---- The recording: what moved where. --------------------------------------------------------------------------------
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
  const a = words[at], b = words[at + 1], c = words[at + 2];
  const largest = (a >> 15) | ((b >> 15) << 1);
  const x = (a & 32767) * LEVEL - Math.SQRT1_2;
  const y = (b & 32767) * LEVEL - Math.SQRT1_2;
  const z = (c & 32767) * LEVEL - Math.SQRT1_2;
  const rest = Math.sqrt(Math.max(0, 1 - x * x - y * y - z * z));
  q[0] = largest === 0 ? rest : x;
  q[1] = largest === 1 ? rest : largest === 0 ? x : y;
  q[2] = largest === 2 ? rest : largest === 3 ? z : y;
  q[3] = largest === 3 ? rest : z;
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
    const count = 3 * this.nodes * this.frames;
    this.words = new Uint16Array(buffer, shape.positions, count);
    this.turnWords = shape.turns === undefined ? null : new Uint16Array(buffer, shape.turns, count);
  }

  /** A node's position in a frame into out[at …]; whether there is one. */
  positionInFrame(frame, node, out, at) {
    const i = 3 * (frame * this.nodes + node);
    const { words, low, quantum } = this;
    if (words[i] === NOTHING) return false;
    for (let k = 0; k < 3; ++k) out[at + k] = low[k] + quantum * words[i + k];
    return true;
  }

  /** A node's position at a moment, on the line between two frames; whether it is there in both. */
  position(moment, node, out, at) {
    const { words, turnWords, low, quantum } = this;
    const i = 3 * ((this.still ? 0 : moment.frame) * this.nodes + node);
    if (!(i < words.length) || words[i] === NOTHING || (turnWords && turnWords[i + 2] === NOTHING)) return false;
    const fraction = this.still ? 0 : moment.fraction;
    if (fraction === 0) {
      for (let k = 0; k < 3; ++k) out[at + k] = low[k] + quantum * words[i + k];
      return true;
    }
    const j = i + 3 * this.nodes;
    if (words[j] === NOTHING || (turnWords && turnWords[j + 2] === NOTHING)) return false;
    for (let k = 0; k < 3; ++k) out[at + k] = low[k] + quantum * (words[i + k] + fraction * (words[j + k] - words[i + k]));
    return true;
  }

  /** A node's rotation at a moment, as x, y, z, w: the two frames' quaternions weighted, of length one. */
  turn(moment, node, out, at) {
    const i = 3 * ((this.still ? 0 : moment.frame) * this.nodes + node);
    const fraction = this.still ? 0 : moment.fraction;
    decodeTurn(this.turnWords, i, turnA);
    let a = 1, b = 0;
    if (fraction > 0) {
      decodeTurn(this.turnWords, i + 3 * this.nodes, turnB);
      const same = turnA[0] * turnB[0] + turnA[1] * turnB[1] + turnA[2] * turnB[2] + turnA[3] * turnB[3];
      a = 1 - fraction;
      b = same < 0 ? -fraction : fraction; // q and −q are the same rotation
    }
    const w = a * turnA[0] + b * turnB[0], x = a * turnA[1] + b * turnB[1];
    const y = a * turnA[2] + b * turnB[2], z = a * turnA[3] + b * turnB[3];
    const scale = 1 / Math.sqrt(w * w + x * x + y * y + z * z);
    out[at] = x * scale;
    out[at + 1] = y * scale;
    out[at + 2] = z * scale;
    out[at + 3] = w * scale;
  }
}

/** The arrow of a point, over time. */
class ArrowTrack {
  constructor(arrow, frames, buffer) {
    this.values = new Float32Array(buffer, arrow.values, 3 * frames);
  }
  /** At a moment, between two frames; whether there is one. */
  at(moment, out, at) {
    const i = 3 * moment.frame, { values } = this, { fraction } = moment;
    for (let k = 0; k < 3; ++k) out[at + k] = fraction === 0 ? values[i + k] : values[i + k] + fraction * (values[i + 3 + k] - values[i + k]);
    return Number.isFinite(out[at]) && Number.isFinite(out[at + 1]) && Number.isFinite(out[at + 2]);
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
      arrowTrack: shape.arrow ? new ArrowTrack(shape.arrow, scene.frames, buffer) : null,
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
    const scene = JSON.parse(document.getElementById("scene").textContent);
    return new Recording(scene, bytesOfBase64(document.getElementById("data").textContent));
  }
}
)page"
