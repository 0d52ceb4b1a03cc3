R"page(
// ---- Vectors and matrices. ----
// Matrices are 4×4, column after column, as WebGL takes them. Functions write into their last argument and allocate nothing.

const radians = (degrees) => (degrees * Math.PI) / 180;
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const norm = (a) => Math.hypot(a[0], a[1], a[2]);

function cross(a, b, out) {
  const [a0, a1, a2] = a, [b0, b1, b2] = b;
  out[0] = a1 * b2 - a2 * b1;
  out[1] = a2 * b0 - a0 * b2;
  out[2] = a0 * b1 - a1 * b0;
  return out;
}

function normalise(a) {
  const scale = 1 / (norm(a) || 1);
  for (let i = 0; i < 3; ++i) a[i] *= scale;
  return a;
}

/** out = a b. */
function multiply(a, b, out) {
  for (let column = 0; column < 16; column += 4)
    for (let row = 0; row < 4; ++row)
      out[column + row] = a[row] * b[column] + a[4 + row] * b[column + 1] + a[8 + row] * b[column + 2] + a[12 + row] * b[column + 3];
  return out;
}

/** From the world to a frame at `eye` with the axes right, up and backward. */
function viewMatrix(right, up, backward, eye, out) {
  for (let i = 0; i < 3; ++i) {
    out[4 * i] = right[i];
    out[4 * i + 1] = up[i];
    out[4 * i + 2] = backward[i];
    out[4 * i + 3] = 0;
  }
  out[12] = -dot(right, eye);
  out[13] = -dot(up, eye);
  out[14] = -dot(backward, eye);
  out[15] = 1;
  return out;
}

/** A frustum that is 2·x by 2·y at the distance one. */
function perspective(x, y, near, far, out) {
  out.fill(0);
  out[0] = 1 / x;
  out[5] = 1 / y;
  out[10] = -(far + near) / (far - near);
  out[11] = -1;
  out[14] = (-2 * far * near) / (far - near);
  return out;
}

/** A box that is 2·x by 2·y. */
function orthographic(x, y, near, far, out) {
  out.fill(0);
  out[0] = 1 / x;
  out[5] = 1 / y;
  out[10] = -2 / (far - near);
  out[14] = -(far + near) / (far - near);
  out[15] = 1;
  return out;
}

/** The vector v turned by the quaternion q = (x, y, z, w). */
function rotate(q, v, out) {
  const [x, y, z, w] = q, [a, b, c] = v;
  const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
  out[0] = a + w * tx + y * tz - z * ty;
  out[1] = b + w * ty + z * tx - x * tz;
  out[2] = c + w * tz + x * ty - y * tx;
  return out;
}

/** Two unit vectors at right angles to a unit vector, and to each other. */
function axesAcross(normal) {
  const first = normalise(cross(Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], normal, [0, 0, 0]));
  return [first, cross(normal, first, [0, 0, 0])];
}

/** 1, 2 or 5 times a power of ten, the one nearest to x from below. */
function roundNumber(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = (x / power) * (1 + 1e-9);
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
}
)page"
