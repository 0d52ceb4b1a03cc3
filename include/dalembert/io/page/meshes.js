R"page(
// ---- Meshes. ----
// A mesh is { vertices: position and normal of each, indices }. Sides have normals of their own, so edges are sharp where they should be;
// seen from outside a triangle's corners go round counter-clockwise, so the far side of what is closed need not be drawn.

class MeshBuilder {
  constructor() {
    this.vertices = [];
    this.indices = [];
  }
  vertex(x, y, z, nx, ny, nz) {
    this.vertices.push(x, y, z, nx, ny, nz);
    return this.vertices.length / 6 - 1;
  }
  triangle(a, b, c) {
    this.indices.push(a, b, c);
  }
  quad(a, b, c, d) {
    this.indices.push(a, b, c, a, c, d);
  }
  get mesh() {
    return { vertices: new Float32Array(this.vertices), indices: new Uint32Array(this.indices) };
  }
}

function ballMesh(radius, around) {
  const build = new MeshBuilder(), along = around / 2;
  for (let i = 0; i <= along; ++i)
    for (let j = 0; j <= around; ++j) {
      const a = (Math.PI * i) / along, b = (2 * Math.PI * j) / around;
      const x = Math.sin(a) * Math.cos(b), y = Math.sin(a) * Math.sin(b), z = Math.cos(a);
      const at = build.vertex(radius * x, radius * y, radius * z, x, y, z);
      if (i < along && j < around) build.quad(at, at + around + 1, at + around + 2, at + 1);
    }
  return build.mesh;
}

/** A right prism over a polygon; round: the normals of its side are smooth, as those of a cylinder are. */
function prismMesh(corners, height, round) {
  const build = new MeshBuilder(), half = height / 2, count = corners.length;
  for (let i = 0; i < count; ++i) {
    const p = corners[i], q = corners[(i + 1) % count];
    const length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
    const flat = [(q[1] - p[1]) / length, (p[0] - q[0]) / length];
    const [m, n] = round ? [p, q].map((v) => [v[0] / Math.hypot(...v), v[1] / Math.hypot(...v)]) : [flat, flat];
    build.quad(
      build.vertex(p[0], p[1], -half, m[0], m[1], 0), build.vertex(q[0], q[1], -half, n[0], n[1], 0),
      build.vertex(q[0], q[1], half, n[0], n[1], 0), build.vertex(p[0], p[1], half, m[0], m[1], 0));
  }
  const triangles = trianglesOf(corners);
  for (const side of [-1, 1]) {
    const first = build.vertices.length / 6;
    for (const p of corners) build.vertex(p[0], p[1], side * half, 0, 0, side);
    for (const [a, b, c] of triangles) build.triangle(first + a, first + (side > 0 ? b : c), first + (side > 0 ? c : b));
  }
  return build.mesh;
}

function circle(radius, count) {
  return Array.from({ length: count }, (_, i) => {
    const a = (2 * Math.PI * i) / count;
    return [radius * Math.cos(a), radius * Math.sin(a)];
  });
}

function boxMesh([a, b, c]) {
  return prismMesh([[-a / 2, -b / 2], [a / 2, -b / 2], [a / 2, b / 2], [-a / 2, b / 2]], c, false);
}

/** A simple polygon, counter-clockwise, cut into triangles: ears are cut off until three corners are left. */
function trianglesOf(corners) {
  const area = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const left = corners.map((_, i) => i), triangles = [];
  while (left.length > 3) {
    const isEar = (i) => {
      const [a, b, c] = [-1, 0, 1].map((step) => left[(i + step + left.length) % left.length]);
      const [p, q, r] = [corners[a], corners[b], corners[c]], sides = [[p, q], [q, r], [r, p]];
      const within = (k) => sides.every(([u, v]) => area(u, v, corners[k]) >= 0);
      return area(p, q, r) > 0 && !left.some((k) => k !== a && k !== b && k !== c && within(k));
    };
    let ear = left.findIndex((_, i) => isEar(i));
    if (ear < 0) ear = 0; // three corners on one line: nothing is lost with one of them
    const count = left.length;
    triangles.push([left[(ear + count - 1) % count], left[ear], left[(ear + 1) % count]]);
    left.splice(ear, 1);
  }
  triangles.push(left);
  return triangles;
}

/** So many corners that a circle is round to a fifth of a pixel in a scene that is 2500 pixels large. */
const cornersOfCircle = (radius, size) => 4 * clamp(Math.ceil((Math.PI / 4) * Math.sqrt((2500 * radius) / size / 0.4)), 3, 24);

/** @param size of the scene [m]. */
function partMesh(part, size) {
  switch (part.kind) {
    case "ball": return ballMesh(part.radius, cornersOfCircle(part.radius, size));
    case "box": return boxMesh(part.size);
    case "cylinder": return prismMesh(circle(part.radius, cornersOfCircle(part.radius, size)), part.length, true);
    case "outline": return prismMesh(part.points, part.height, false);
    default: throw new Error(`a body has a part of the unknown kind "${part.kind}"`);
  }
}

/** Corners of a box about a part, in the part. */
function partCorners(part) {
  let low, high;
  if (part.kind === "outline") {
    const [x, y] = [0, 1].map((k) => part.points.map((p) => p[k]));
    low = [Math.min(...x), Math.min(...y), -part.height / 2];
    high = [Math.max(...x), Math.max(...y), part.height / 2];
  } else {
    const r = part.radius;
    high = part.kind === "box" ? part.size.map((side) => side / 2) : part.kind === "ball" ? [r, r, r] : [r, r, part.length / 2];
    low = high.map((x) => -x);
  }
  return Array.from({ length: 8 }, (_, i) => [i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]]);
}

// Tubes, points and arrows take their place and size in the shader.

/** A closed tube through so many sections. Of each corner cos, sin, share of the radius, normal along the
 *  axis, section, angle. */
function tubeMesh(sections, sides) {
  const corners = [], indices = [];
  const corner = (i, share, along, section) => {
    const angle = (2 * Math.PI * i) / sides;
    corners.push(Math.cos(angle), Math.sin(angle), share, along, section, angle);
    return corners.length / 6 - 1;
  };
  for (let k = 0; k < sections; ++k)
    for (let i = 0; i <= sides; ++i) {
      const at = corner(i, 1, 0, k);
      if (k + 1 < sections && i < sides) indices.push(at, at + 1, at + sides + 2, at, at + sides + 2, at + sides + 1);
    }
  for (const [section, facing] of [[0, -1], [sections - 1, 1]]) {
    const middle = corner(0, 0, facing, section);
    for (let i = 0; i <= sides; ++i) {
      corner(i, 1, facing, section);
      if (i < sides) indices.push(middle, middle + (facing > 0 ? 1 : 2) + i, middle + (facing > 0 ? 2 : 1) + i);
    }
  }
  return { corners: new Float32Array(corners), indices: new Uint32Array(indices) };
}

const MANY_MARKERS = 8; // from here on they are smaller and coarser

/** Unit balls for so many points, triangles; of each corner x, y, z and its point. */
function pointTriangles(count) {
  const { vertices, indices } = ballMesh(1, count > MANY_MARKERS ? 10 : 20), triangles = [];
  for (let point = 0; point < count; ++point)
    for (const i of indices) triangles.push(vertices[6 * i], vertices[6 * i + 1], vertices[6 * i + 2], point);
  return new Float32Array(triangles);
}

/** Arrows of four rings each, triangles. Of each corner cos, sin, which radius (0 none, 1 shaft, 2 head) and
 *  station (0 tail, 1 neck, 2 tip); the normal outward and along; its arrow. */
function arrowTriangles(count) {
  const sides = count > MANY_MARKERS ? 8 : 16, triangles = [];
  const bands = [ // from ring to ring: radius and station twice, normal
    [0, 0, 1, 0, 0, -1], [1, 0, 1, 1, 1, 0], [1, 1, 2, 1, 0, -1], [2, 1, 0, 2, 0.94, 0.34],
  ];
  for (let arrow = 0; arrow < count; ++arrow)
    for (let i = 0; i < sides; ++i)
      for (const [r, s, q, t, outward, along] of bands) {
        const corner = (step, radius, station) => {
          const a = (2 * Math.PI * (i + step)) / sides;
          triangles.push(Math.cos(a), Math.sin(a), radius, station, outward, along, arrow);
        };
        corner(0, r, s), corner(1, r, s), corner(0, q, t);
        corner(1, r, s), corner(1, q, t), corner(0, q, t);
      }
  return new Float32Array(triangles);
}
)page"
