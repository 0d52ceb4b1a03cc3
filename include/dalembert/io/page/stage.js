R"page(
// ---- The stage: canvas, camera and renderer together. ----

/** The mean of a shape's nodes at a moment, into `out`; whether it is anywhere. */
function middleOf({ track }, moment, out) {
  const x = [0, 0, 0], sum = [0, 0, 0];
  let found = 0;
  for (let k = 0; k < track.nodes; ++k) {
    if (!track.position(moment, k, x, 0)) continue;
    ++found;
    for (let i = 0; i < 3; ++i) sum[i] += x[i];
  }
  if (found) for (let i = 0; i < 3; ++i) out[i] = sum[i] / found;
  return found > 0;
}

/** Places that the first view must hold, x, y, z and a radius each: of nodes and corners of bodies, over all
 *  frames or many. Beside a shape that the eye follows, those of what moves, as they lie from there. */
function extremePlaces(recording, followed) {
  const { scene } = recording, places = [], moment = new Moment(), middle = [0, 0, 0];
  const shapes = recording.shapes.filter((shape) => !followed || (shape.track && !shape.still));
  const x = [0, 0, 0], q = [0, 0, 0, 1], corner = [0, 0, 0];
  const cornersOf = ({ track, parts }) => (track ? track.nodes * (parts ? 8 * parts.length : 1) : 0);
  const nodes = shapes.reduce((sum, shape) => sum + cornersOf(shape), 0);
  const stride = Math.max(1, Math.ceil((nodes * scene.frames) / 40000));
  for (const shape of shapes) {
    const { track } = shape;
    if (!track) continue;
    const radius = shape.kind === "curve" ? shape.width / 2 : Math.max(0, ...[].concat(shape.radius ?? 0));
    for (let frame = 0; frame < track.frames; frame += stride) {
      moment.frame = frame;
      if (followed && !middleOf(followed, moment, middle)) continue;
      for (let k = 0; k < track.nodes; ++k) {
        if (!track.position(moment, k, x, 0)) continue;
        if (followed) for (let i = 0; i < 3; ++i) x[i] -= middle[i];
        if (shape.kind !== "body") {
          places.push(x[0], x[1], x[2], radius);
          continue;
        }
        track.turn(moment, 0, q, 0);
        for (const part of shape.parts)
          for (const at of partCorners(part)) {
            rotate([part.turn[1], part.turn[2], part.turn[3], part.turn[0]], at, corner);
            rotate(q, corner.map((c, i) => c + part.at[i]), corner);
            places.push(...corner.map((c, i) => c + x[i]), 0);
          }
      }
    }
  }
  return places;
}

class Stage {
  constructor(canvas, recording) {
    this.canvas = canvas;
    this.recording = recording;
    const { scene } = recording;
    this.camera = new Camera(scene.up, scene.flat);
    this.camera.origin = recording.origin;
    this.moved = false; // by the reader; until then the scene fills the picture, whatever its size
    this.followed = null; // the shape that the eye goes with
    this.anchor = [0, 0, 0]; // where that was when the eye was last set right
    this.strains = new Strains(recording);
    this.points = recording.shapes.filter((shape) => shape.kind === "point" && shape.track);
    this.centred = null; // the point that the inset shows
    this.inset = new Camera(scene.up, scene.flat);
    this.theme = "light";
    this.pace = 16; // between pictures, on average [ms]
    this.slow = false;
    const sided = Math.max(0, ...recording.shapes.map((shape) => (shape.kind === "plane" ? 1.5 * (shape.size || 1.9 * scene.size) : 0)));
    this.camera.reach = this.inset.reach = Math.max(scene.size, sided);
    this.moving = recording.shapes.filter((shape) => shape.track && !shape.still && recording.times.length > 1);
    const named = this.moving.find((shape) => shape.name === scene.follow) || null;
    this.leader = named || this.moving.find((shape) => shape.kind === "body") || this.moving[0] || null; // whom a reader may follow
    this.follow(named);
    this.firstView();

    // The lamp hangs above, on the left and in front of the first view.
    this.camera.turn();
    const { right, backward } = this.camera, up = this.camera.up;
    const front = scene.flat ? [0, -0.55, 0] : backward.map((b, i) => 0.45 * (b - dot(backward, up) * up[i]));
    this.toLight = normalise(up.map((u, i) => 1.15 * u + front[i] - 0.5 * right[i]));

    this.gl = canvas.getContext("webgl2", { antialias: false, powerPreference: "high-performance" });
    if (!this.gl) throw new Error("no WebGL 2");
    this.make();
  }

  make() {
    this.renderer = new Renderer(this.gl, this.recording, this.strains, this.camera, this.toLight);
    this.renderer.theme = this.theme;
    this.sizeArrows();
  }
  setTheme(theme) {
    this.theme = theme;
    this.renderer.theme = theme;
  }

  firstView() {
    const { scene } = this.recording, { camera } = this;
    camera.yaw = scene.flat ? 0 : scene.view.yaw;
    camera.pitch = scene.flat ? 90 : scene.view.pitch;
    this.moved = false;
    this.fit();
  }
  fit() {
    this.camera.target = [0, 0, 0];
    this.camera.fit(this.places, 0.07, this.recording.scene.view.zoom || 1);
    if (!this.followed) return;
    middleOf(this.followed, this.recording.moment, this.anchor); // or where it was last, if it is nowhere now
    for (let i = 0; i < 3; ++i) this.camera.target[i] += this.anchor[i];
  }
  /** Arrows go by the size of what is looked at: of the scene, or of what moves beside a shape that is followed. */
  sizeArrows() {
    const { places } = this, { size } = this.recording.scene, low = [Infinity, Infinity, Infinity], high = low.map((x) => -x);
    for (let k = 0; k < places.length; ++k)
      if (k % 4 < 3) [low[k % 4], high[k % 4]] = [Math.min(low[k % 4], places[k]), Math.max(high[k % 4], places[k])];
    const span = Math.hypot(...high.map((x, i) => x - low[i]));
    if (this.renderer) this.renderer.markers.size = this.followed && span > 0 ? Math.min(span, size) : size;
  }
  /** Go with a shape from now on, or stay (null); the scene fills the picture anew. */
  follow(shape) {
    this.followed = shape;
    if (shape) this.leader = shape;
    if (shape) for (const first = new Moment(); first.frame < shape.track.frames && !middleOf(shape, first, this.anchor); ++first.frame);
    this.places = extremePlaces(this.recording, shape);
    this.sizeArrows();
    this.moved = false;
    this.fit();
  }
  /** Where what is followed went, the eye goes too. */
  keepUp(moment) {
    const now = [0, 0, 0];
    if (!this.followed || !middleOf(this.followed, moment, now)) return;
    for (let i = 0; i < 3; ++i) this.camera.target[i] += now[i] - this.anchor[i];
    this.anchor = now;
  }

  /** Take over the size of the canvas; whether it is another one. */
  resize() {
    const { canvas, camera } = this, ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return false;
    const same = canvas.width === Math.round(width * ratio) && canvas.height === Math.round(height * ratio);
    camera.width = width;
    camera.height = height;
    if (same) return false;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    if (!this.moved) this.fit();
    this.frameInset();
    return true;
  }

  /** Pictures of a motion come one after the other: a machine that is slow at them leaves out what it can. */
  paced(milliseconds) {
    if (milliseconds > 0 && milliseconds < 1000) this.pace += 0.15 * (milliseconds - this.pace);
    if (this.pace > 45) this.slow = true;
  }
  /** Have the inset show what is around a point (or nothing, null), within an element over the canvas. */
  centre(point, frame) {
    this.centred = point;
    this.frame = frame;
    if (point) this.inset.extent = this.extentAbout(point);
    this.frameInset();
  }
  /** How much of the scene an inset about a point spans [m]. */
  extentAbout(point) {
    return 8 * Math.max(...this.strains.tubes.flatMap((tube) => tube.radius), 0) || 8 * point.radius;
  }
  /** The device pixels that the inset's element is over. */
  frameInset() {
    const { frame, inset, canvas } = this, ratio = canvas.width / (canvas.clientWidth || 1);
    if (!this.centred) return;
    inset.width = frame.clientWidth;
    inset.height = frame.clientHeight;
    const bottom = canvas.clientHeight - frame.offsetTop - inset.height;
    this.box = [frame.offsetLeft, bottom, inset.width, inset.height].map((x) => Math.round(x * ratio));
  }
  draw(moment, time, moving) {
    if (this.gl.isContextLost()) return;
    this.keepUp(moment);
    const { canvas, camera, inset, centred } = this;
    camera.update();
    const near = centred !== null && centred.track.position(moment, 0, inset.target, 0);
    if (centred) this.frame.style.visibility = near ? "" : "hidden";
    [inset.yaw, inset.pitch] = [camera.yaw, camera.pitch];
    inset.update();
    const { width, height } = canvas, smooth = !(moving && this.slow);
    this.renderer.draw(moment, time, width, height, smooth, camera, near ? inset : null, this.box);
  }
}
)page"
