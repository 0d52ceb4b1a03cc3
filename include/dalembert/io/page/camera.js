R"page(
// ---- The camera: it turns about a point. ----

const FIELD = radians(26); // of view, across the shorter side of the picture

class Camera {
  /** @param up a unit vector; @param flat seen from straight above at first, without perspective. */
  constructor(up, flat) {
    this.up = flat ? [0, 0, 1] : normalise([...up]);
    this.flat = flat;
    this.yaw = 0;     // [deg] about up
    this.pitch = 0;   // [deg] the eye's height above the horizon
    this.extent = 1;  // [m] how much of the scene the shorter side of the picture spans, at the target
    this.target = [0, 0, 0]; // from the origin
    this.origin = [0, 0, 0];
    this.width = 1;
    this.height = 1;

    // At no yaw the eye looks along `away`, `side` being on its right.
    this.side = [1, 0, 0];
    if (Math.abs(this.up[0]) > 0.9) this.side = [0, 1, 0];
    const along = dot(this.side, this.up);
    normalise(this.side.forEach((_, i) => (this.side[i] -= along * this.up[i])) || this.side);
    this.away = cross(this.up, this.side, [0, 0, 0]);

    [this.right, this.above, this.backward, this.eye] = [0, 0, 0, 0].map(() => [0, 0, 0]);
    [this.view, this.projection, this.matrix] = [0, 0, 0].map(() => new Float32Array(16));
    this.reach = 1; // [m] how far from the target there may be something
  }

  /** The axes of the screen, from the angles. */
  turn() {
    const yaw = radians(this.yaw), pitch = radians(this.pitch);
    const c = Math.cos(yaw), s = Math.sin(yaw), level = Math.cos(pitch), height = Math.sin(pitch);
    for (let i = 0; i < 3; ++i) {
      const ahead = c * this.away[i] - s * this.side[i];
      this.right[i] = c * this.side[i] + s * this.away[i];
      this.backward[i] = height * this.up[i] - level * ahead;
      this.above[i] = level * this.up[i] + height * ahead;
    }
  }

  get shorter() {
    return Math.min(this.width, this.height);
  }
  /** Metres per pixel at the target. */
  get pixel() {
    return this.extent / this.shorter;
  }
  get distance() {
    return this.extent / 2 / Math.tan(FIELD / 2);
  }

  update() {
    this.turn();
    const { distance, reach } = this, half = this.pixel / 2;
    const spanX = half * this.width, spanY = half * this.height;
    for (let i = 0; i < 3; ++i) this.eye[i] = this.target[i] + distance * this.backward[i];
    viewMatrix(this.right, this.above, this.backward, this.eye, this.view);
    const near = distance - reach, far = distance + reach;
    if (this.flat) orthographic(spanX, spanY, near, far, this.projection);
    else {
      const nearest = Math.max(near, 0.02 * distance);
      perspective(spanX / distance, spanY / distance, nearest, far, this.projection);
    }
    multiply(this.projection, this.view, this.matrix);
  }

  /** Where a point is on the picture [CSS pixels]; null behind the eye. */
  project(x) {
    const m = this.matrix, at = (row) => m[row] * x[0] + m[4 + row] * x[1] + m[8 + row] * x[2] + m[12 + row];
    const w = at(3);
    return w > 0 ? [(0.5 + (0.5 * at(0)) / w) * this.width, (0.5 - (0.5 * at(1)) / w) * this.height] : null;
  }

  /** Look from the present angles so that all points are just within the picture: `points` are x, y, z and a radius, `margin` a share of the picture. */
  fit(points, margin, zoom) {
    if (!points.length) return;
    this.turn();
    // Of a point at (u, v) on the axes of the screen and w toward the eye, a slope a of the frustum asks of the eye (p, q, e) that
    // |u − p| ≤ a (e − w): the largest u + a w and −u + a w say where it must be.
    const slope = Math.tan(FIELD / 2) * (1 - margin);
    const a = slope * (this.width / this.shorter), b = slope * (this.height / this.shorter);
    const depth = this.flat ? 0 : 1; // far away depth does not count
    const longA = Math.hypot(1, a * depth), longB = Math.hypot(1, b * depth);
    let right = -Infinity, left = -Infinity, above = -Infinity, below = -Infinity, near = -Infinity, far = Infinity;
    for (let i = 0; i < points.length; i += 4) {
      const x = [points[i], points[i + 1], points[i + 2]], r = points[i + 3];
      const u = dot(x, this.right), v = dot(x, this.above), w = dot(x, this.backward) * depth;
      right = Math.max(right, u + a * w + r * longA);
      left = Math.max(left, -u + a * w + r * longA);
      above = Math.max(above, v + b * w + r * longB);
      below = Math.max(below, -v + b * w + r * longB);
      near = Math.max(near, dot(x, this.backward) + r);
      far = Math.min(far, dot(x, this.backward) - r);
    }
    const middle = (near + far) / 2;
    const e = Math.max((right + left) / (2 * a), (above + below) / (2 * b)); // the eye, or half of the extent over the slope
    const distance = this.flat ? e : e - middle;
    for (let i = 0; i < 3; ++i)
      this.target[i] = ((right - left) / 2) * this.right[i] + ((above - below) / 2) * this.above[i] + middle * this.backward[i];
    this.extent = (2 * Math.tan(FIELD / 2) * distance) / zoom;
    if (!(this.extent > 0)) this.extent = 1;
  }

  orbit(yaw, pitch) {
    this.yaw = (this.yaw + yaw) % 360;
    this.pitch = clamp(this.pitch + pitch, -90, 90);
  }
  /** Move what is shown by so many pixels. */
  pan(x, y) {
    for (let i = 0; i < 3; ++i) this.target[i] += this.pixel * (y * this.above[i] - x * this.right[i]);
  }
  /** Come closer by a factor, what is x, y pixels from the middle of the picture staying there. */
  zoom(factor, x, y) {
    const before = this.extent;
    this.extent = clamp(this.extent / factor, 1e-4 * this.reach, 20 * this.reach);
    const gain = (before - this.extent) / this.shorter;
    for (let i = 0; i < 3; ++i) this.target[i] += gain * (x * this.right[i] - y * this.above[i]);
  }

  get state() {
    return { yaw: this.yaw, pitch: this.pitch, extent: this.extent, target: this.target.map((x, i) => x + this.origin[i]) };
  }
  set state({ yaw, pitch, extent, target }) {
    if (Number.isFinite(yaw)) this.yaw = yaw;
    if (Number.isFinite(pitch)) this.pitch = clamp(pitch, -90, 90);
    if (extent > 0 && Number.isFinite(extent)) this.extent = extent;
    if (target && target.length === 3 && target.every(Number.isFinite)) this.target = target.map((x, i) => x - this.origin[i]);
  }
}

/** What fingers, mouse and wheel on the picture mean; `changed` is called after each. `within` another page
 *  the wheel is that page's, unless Ctrl is held. */
function steerCamera(canvas, camera, changed, reset, within) {
  const fingers = new Map(); // pointer → [x, y]
  const middle = () => {
    const all = [...fingers.values()];
    const sum = all.reduce((a, b) => [a[0] + b[0], a[1] + b[1]], [0, 0]).map((v) => v / all.length);
    return { at: sum, apart: all.length > 1 ? Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) : 0 };
  };
  const fromMiddle = (x, y) => {
    const box = canvas.getBoundingClientRect();
    return [x - box.left - box.width / 2, y - box.top - box.height / 2];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    canvas.classList.add("held");
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = middle();
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const after = middle();
    const [dx, dy] = [after.at[0] - before.at[0], after.at[1] - before.at[1]];
    const panning = fingers.size > 1 || event.buttons & 6 || event.shiftKey;
    if (panning) camera.pan(dx, dy);
    else camera.orbit(-0.35 * dx, 0.35 * dy);
    if (before.apart > 0 && after.apart > 0) camera.zoom(after.apart / before.apart, ...fromMiddle(...after.at));
    changed();
  });
  const lift = (event) => {
    fingers.delete(event.pointerId);
    if (!fingers.size) canvas.classList.remove("held");
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("dblclick", reset);
  canvas.addEventListener("wheel", (event) => {
    if (within() && !event.ctrlKey) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1);
    camera.zoom(Math.exp(-0.0015 * clamp(pixels, -400, 400)), ...fromMiddle(event.clientX, event.clientY));
    changed();
  }, { passive: false });
}
)page"
