R"page(
// ---- The renderer: shapes at a moment, as a picture. -----------------------------------------------------------------
// All memory is taken when it is made; a frame fills buffers and draws them.

const SHADOW_SIDE = 1536; // texels
const ARROW_SHARE = 0.18; // the longest arrow over the size of the scene
const NOWHERE = -1e30;    // in place of a point's time: the point is not there

class Program {
  constructor(gl, vertex, fragment) {
    this.gl = gl;
    this.handle = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(this.handle, shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(`a shader is refused: ${gl.getShaderInfoLog(shader)}`);
    }
    gl.linkProgram(this.handle);
    if (!gl.getProgramParameter(this.handle, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(`a shader is refused: ${gl.getProgramInfoLog(this.handle)}`);
    gl.uniformBlockBinding(this.handle, gl.getUniformBlockIndex(this.handle, "Frame"), 0);
    this.places = {};
    const count = gl.getProgramParameter(this.handle, gl.ACTIVE_UNIFORMS) || 0;
    for (let i = 0; i < count; ++i) {
      const { name } = gl.getActiveUniform(this.handle, i);
      this.places[name] = gl.getUniformLocation(this.handle, name);
    }
  }
  use() {
    this.gl.useProgram(this.handle);
    return this.places;
  }
}

/** Attributes of vertices: each [place, numbers, stride, offset, divisor] of one buffer, in floats. */
function attributes(gl, buffer, list) {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  for (const [place, size, stride, offset, divisor] of list) {
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, gl.FLOAT, false, 4 * stride, 4 * offset);
    gl.vertexAttribDivisor(place, divisor);
  }
}

function bufferOf(gl, data, usage = gl.STATIC_DRAW) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, data, usage);
  return buffer;
}

/** A rod: sections, and between any two of them a piece of tube. */
class TubeDrawing {
  constructor(gl, shape, sides) {
    this.shape = shape;
    this.sides = sides;
    const nodes = shape.track.nodes;
    this.numbers = new Float32Array(8 * nodes);
    this.radius = (node) => (Array.isArray(shape.radius) ? shape.radius[node] : shape.radius);
    this.buffer = bufferOf(gl, this.numbers, gl.DYNAMIC_DRAW);
    const vao = (mesh, first) => {
      const made = gl.createVertexArray();
      gl.bindVertexArray(made);
      attributes(gl, bufferOf(gl, mesh), [[0, 4, 6, 0, 0], [1, 2, 6, 4, 0]]);
      const next = first + 1 < nodes ? first + 1 : first;
      attributes(gl, this.buffer, [[2, 4, 8, 8 * first, 1], [3, 4, 8, 8 * first + 4, 1], [4, 4, 8, 8 * next, 1], [5, 4, 8, 8 * next + 4, 1]]);
      return made;
    };
    this.side = vao(tubeSide(sides), 0);
    this.caps = [vao(tubeCap(sides, -1), 0), vao(tubeCap(sides, 1), nodes - 1)];
  }
  update(gl, moment) {
    const { track } = this.shape, { numbers } = this;
    for (let k = 0, at = 0; k < track.nodes; ++k, at += 8) {
      const there = track.position(moment, k, numbers, at);
      numbers[at + 3] = there ? this.radius(k) : 0;
      if (there) track.turn(moment, k, numbers, at + 4);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, numbers);
  }
  draw(gl) {
    gl.bindVertexArray(this.side);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 2 * (this.sides + 1), this.shape.track.nodes - 1);
    for (const cap of this.caps) {
      gl.bindVertexArray(cap);
      gl.drawArraysInstanced(gl.TRIANGLE_FAN, 0, this.sides + 2, 1);
    }
  }
}

/** Points on a line, and one more at either end so that each piece knows its neighbours. */
class Ribbon {
  constructor(gl, numbers, usage) {
    this.numbers = numbers;
    this.buffer = bufferOf(gl, numbers, usage);
    this.vao = gl.createVertexArray();
    gl.bindVertexArray(this.vao);
    attributes(gl, bufferOf(gl, new Float32Array([0, -1, 0, 1, 1, -1, 1, 1])), [[0, 2, 2, 0, 0]]);
    attributes(gl, this.buffer, [[1, 4, 4, 0, 1], [2, 4, 4, 4, 1], [3, 4, 4, 8, 1], [4, 4, 4, 12, 1]]);
  }
  draw(gl, pieces) {
    gl.bindVertexArray(this.vao);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, pieces);
  }
}

/** A line that moves. */
class CurveDrawing {
  constructor(gl, shape) {
    this.shape = shape;
    const numbers = new Float32Array(4 * (shape.track.nodes + 2));
    numbers[3] = numbers[numbers.length - 1] = NOWHERE;
    this.ribbon = new Ribbon(gl, numbers, gl.DYNAMIC_DRAW);
  }
  update(gl, moment) {
    const { track } = this.shape, { numbers, buffer } = this.ribbon;
    for (let k = 0; k < track.nodes; ++k) numbers[4 * k + 7] = track.position(moment, k, numbers, 4 * k + 4) ? 0 : NOWHERE;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, numbers);
  }
  draw(gl) {
    this.ribbon.draw(gl, this.shape.track.nodes - 1);
  }
}

/** Where a point or a body has been. */
class PathDrawing {
  constructor(gl, shape, times) {
    this.shape = shape;
    const numbers = new Float32Array(4 * (times.length + 3)).fill(NOWHERE);
    for (let i = 0; i < times.length; ++i)
      if (shape.track.positionInFrame(i, 0, numbers, 4 * i + 4)) numbers[4 * i + 7] = times[i];
    this.ribbon = new Ribbon(gl, numbers, gl.STATIC_DRAW);
    this.now = new Float32Array(4);
  }
  draw(gl, places, moment, time) {
    const there = this.shape.track.position(moment, 0, this.now, 0);
    this.now[3] = there ? 0 : NOWHERE;
    gl.uniform4fv(places.now, this.now);
    gl.uniform1i(places.last, moment.frame);
    gl.uniform1f(places.time, time);
    this.ribbon.draw(gl, moment.frame + 1);
  }
}

/** A rigid body. */
class BodyDrawing {
  constructor(gl, shape) {
    this.shape = shape;
    this.place = new Float32Array(4);
    this.turn = new Float32Array(4);
    this.parts = shape.parts.map((part) => {
      const mesh = partMesh(part), vao = gl.createVertexArray();
      gl.bindVertexArray(vao);
      attributes(gl, bufferOf(gl, mesh.vertices), [[0, 3, 6, 0, 0], [1, 3, 6, 3, 0]]);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.indices, gl.STATIC_DRAW);
      const [w, x, y, z] = part.turn;
      return {
        vao,
        count: mesh.indices.length,
        place: new Float32Array([...part.at, 0]),
        turn: new Float32Array([x, y, z, w]),
        pattern: !part.striped ? 0 : part.kind === "cylinder" ? 2 : part.kind === "outline" ? 3 : 1,
        number: part.colour ?? shape.colour,
        colour: new Float32Array(3),
        stripe: new Float32Array(3),
      };
    });
    this.there = false;
  }
  update(gl, moment) {
    const { track } = this.shape;
    this.there = track.position(moment, 0, this.place, 0);
    if (this.there) track.turn(moment, 0, this.turn, 0);
  }
  draw(gl, places) {
    if (!this.there) return;
    gl.uniform4fv(places.body_place, this.place);
    gl.uniform4fv(places.body_turn, this.turn);
    for (const part of this.parts) {
      gl.uniform4fv(places.part_place, part.place);
      gl.uniform4fv(places.part_turn, part.turn);
      if (places.colour) {
        gl.uniform3fv(places.colour, part.colour);
        gl.uniform3fv(places.stripe, part.stripe);
        gl.uniform1i(places.pattern, part.pattern);
      }
      gl.bindVertexArray(part.vao);
      gl.drawElements(gl.TRIANGLES, part.count, gl.UNSIGNED_INT, 0);
    }
  }
}

/** All points, and all their arrows, in one buffer each: place and radius, colour, arrow. */
class Markers {
  constructor(gl, shapes, size) {
    this.shapes = shapes;
    this.size = size;
    this.points = new Float32Array(10 * Math.max(shapes.length, 1));
    this.arrows = new Float32Array(10 * Math.max(shapes.length, 1));
    this.colours = new Float32Array(3 * shapes.length);
    this.place = new Float32Array(3);
    this.arrow = new Float32Array(3);
    this.pointCount = this.arrowCount = 0;
    this.pointBuffer = bufferOf(gl, this.points, gl.DYNAMIC_DRAW);
    this.arrowBuffer = bufferOf(gl, this.arrows, gl.DYNAMIC_DRAW);

    const ball = ballMesh(1, 20);
    this.ballCount = ball.indices.length;
    this.balls = gl.createVertexArray();
    gl.bindVertexArray(this.balls);
    attributes(gl, bufferOf(gl, ball.vertices), [[0, 3, 6, 0, 0], [1, 3, 6, 3, 0]]);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, ball.indices, gl.STATIC_DRAW);
    attributes(gl, this.pointBuffer, [[2, 4, 10, 0, 1], [3, 3, 10, 4, 1]]);

    const triangles = arrowTriangles(20);
    this.arrowVertices = triangles.length / 6;
    this.shafts = gl.createVertexArray();
    gl.bindVertexArray(this.shafts);
    attributes(gl, bufferOf(gl, triangles), [[0, 4, 6, 0, 0], [1, 2, 6, 4, 0]]);
    attributes(gl, this.arrowBuffer, [[2, 4, 10, 0, 1], [3, 3, 10, 4, 1], [4, 3, 10, 7, 1]]);
  }
  add(numbers, count, i, radius) {
    const at = 10 * count;
    for (let k = 0; k < 3; ++k) {
      numbers[at + k] = this.place[k];
      numbers[at + 4 + k] = this.colours[3 * i + k];
      numbers[at + 7 + k] = this.arrow[k];
    }
    numbers[at + 3] = radius;
    return count + 1;
  }
  update(gl, moment) {
    this.pointCount = this.arrowCount = 0;
    for (let i = 0; i < this.shapes.length; ++i) {
      const shape = this.shapes[i];
      if (!shape.shown || !shape.track.position(moment, 0, this.place, 0)) continue;
      this.pointCount = this.add(this.points, this.pointCount, i, shape.radius);
      if (!shape.arrowTrack || !(shape.arrow.longest > 0) || !shape.arrowTrack.at(moment, this.arrow, 0)) continue;
      const scale = (ARROW_SHARE * this.size) / shape.arrow.longest;
      for (let k = 0; k < 3; ++k) this.arrow[k] *= scale;
      if (norm(this.arrow) > 1e-4 * this.size) this.arrowCount = this.add(this.arrows, this.arrowCount, i, 0.0032 * this.size);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.pointBuffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, this.points);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.arrowBuffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, this.arrows);
  }
}

/** A plane with a grid whose lines go through round numbers. */
class PlaneDrawing {
  constructor(gl, shape, scene, middle) {
    this.shape = shape;
    const given = shape.size > 0;
    this.side = given ? shape.size : 1.9 * scene.size;
    this.fades = given ? 0 : 1;
    this.grid = roundNumber(this.side / 16);
    this.normal = new Float32Array(normalise([...shape.normal]));
    const [first, second] = axesAcross(this.normal);
    this.first = new Float32Array(first);
    this.second = new Float32Array(second);
    // as near to the middle of the scene as it comes, if its place is free
    const away = dot(this.normal, middle.map((x, i) => x - shape.at[i]));
    this.middle = new Float32Array(given ? shape.at : middle.map((x, i) => x - away * this.normal[i]));
    const remainder = (axis) => -(dot(this.middle, axis) % (5 * this.grid));
    this.offset = given ? [0, 0] : [remainder(first), remainder(second)];
    this.vao = gl.createVertexArray();
    gl.bindVertexArray(this.vao);
    attributes(gl, bufferOf(gl, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1])), [[0, 2, 2, 0, 0]]);
  }
  draw(gl, places) {
    gl.uniform3fv(places.middle, this.middle);
    gl.uniform3fv(places.first, this.first);
    gl.uniform3fv(places.second, this.second);
    gl.uniform3fv(places.normal, this.normal);
    gl.uniform2f(places.size, this.side / 2, this.grid);
    gl.uniform2f(places.offset, this.offset[0], this.offset[1]);
    gl.uniform1f(places.fades, this.fades);
    gl.bindVertexArray(this.vao);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }
}

class Renderer {
  /** @param toLight a unit vector from the scene to the lamp. */
  constructor(gl, recording, camera, toLight) {
    this.gl = gl;
    this.recording = recording;
    this.camera = camera;
    const { scene, shapes, times } = recording;
    const kinds = (kind) => shapes.filter((shape) => shape.kind === kind);
    const middle = scene.low.map((x, i) => (x + scene.high[i]) / 2);

    this.programs = {
      tube: new Program(gl, TUBE_VERTEX, TUBE_FRAGMENT),
      tubeDepth: new Program(gl, TUBE_VERTEX, DEPTH_FRAGMENT),
      solid: new Program(gl, SOLID_VERTEX, SOLID_FRAGMENT),
      solidDepth: new Program(gl, SOLID_VERTEX, DEPTH_FRAGMENT),
      ribbon: new Program(gl, RIBBON_VERTEX, RIBBON_FRAGMENT),
      ribbonDepth: new Program(gl, RIBBON_VERTEX, DEPTH_FRAGMENT),
      marker: new Program(gl, MARKER_VERTEX, MARKER_FRAGMENT),
      arrow: new Program(gl, ARROW_VERTEX, MARKER_FRAGMENT),
      plane: new Program(gl, PLANE_VERTEX, PLANE_FRAGMENT),
    };
    // Round enough close by, and not more than so many corners in all.
    const pieces = kinds("tube").reduce((sum, shape) => sum + shape.track.nodes, 0);
    const sides = 4 * Math.round(clamp(6000 / Math.max(pieces, 1), 4, 10));
    this.tubes = kinds("tube").map((shape) => new TubeDrawing(gl, shape, sides));
    this.curves = kinds("curve").map((shape) => new CurveDrawing(gl, shape));
    this.bodies = kinds("body").map((shape) => new BodyDrawing(gl, shape));
    this.planes = kinds("plane").map((shape) => new PlaneDrawing(gl, shape, scene, middle));
    this.markers = new Markers(gl, kinds("point"), scene.size);
    this.paths = times.length > 1 ? shapes.filter((shape) => shape.path && !shape.still).map((shape) => new PathDrawing(gl, shape, times)) : [];
    this.colours = new Map();

    // The lamp's view of all that ever is there.
    const reach = 0.5 * scene.size * 1.02;
    const [side, across] = axesAcross(toLight);
    const lampView = viewMatrix(side, across, toLight, middle, new Float32Array(16));
    this.lamp = multiply(orthographic(reach, reach, -reach, reach, new Float32Array(16)), lampView, new Float32Array(16));
    this.lampAt = middle;
    this.toLight = toLight;
    this.reach = reach;
    this.block = new Float32Array(64);
    this.frameBlock = gl.createBuffer();
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.frameBlock);
    gl.bufferData(gl.UNIFORM_BUFFER, this.block, gl.DYNAMIC_DRAW);
    gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, this.frameBlock);
    this.makeShadowMap();
    this.onePixel = new Uint8Array(4);
  }

  makeShadowMap() {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIDE, SHADOW_SIDE);
    for (const [name, value] of [
      [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE], [gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL],
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ]) gl.texParameteri(gl.TEXTURE_2D, name, value);
    this.shadowTexture = gl.getParameter(gl.TEXTURE_BINDING_2D);
    this.shadowTarget = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadowTexture, 0);
    gl.drawBuffers([gl.NONE]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  set theme(theme) {
    const scenery = SCENERY[theme];
    const one = (hex) => new Float32Array(linearColour(hex));
    // the second shade of what is striped
    const other = (colour) => colour.map((c) => (theme === "dark" ? 0.22 * c : 0.16 * c + 0.84 * 0.86));
    this.scenery = scenery;
    this.background = one(scenery.background);
    this.planeColour = one(scenery.plane);
    this.planeLine = one(scenery.line);
    this.shades = PALETTES[theme].map((hex) => ({ colour: one(hex), stripe: other(one(hex)) }));
    const shade = (number) => this.shades[(((number ?? 4) % 8) + 8) % 8];
    this.shade = shade;
    for (const body of this.bodies)
      for (const part of body.parts) {
        part.colour.set(shade(part.number).colour);
        part.stripe.set(shade(part.number).stripe);
      }
    this.markers.shapes.forEach((shape, i) => this.markers.colours.set(shade(shape.colour).colour, 3 * i));
  }

  /** What the shaders know of the frame. */
  fillBlock(matrix, eye, w, forward, halfPixel) {
    const { block, gl, camera, scenery } = this;
    const put = (at, v, last) => {
      for (let i = 0; i < 3; ++i) block[at + i] = v[i];
      block[at + 3] = last;
    };
    const even = (at, value, last) => {
      block[at] = block[at + 1] = block[at + 2] = value;
      block[at + 3] = last;
    };
    block.set(matrix, 0);
    block.set(this.lamp, 16);
    put(32, eye, w);
    put(36, forward, dot(forward, this.lampAt) - w * dot(forward, eye));
    put(40, this.toLight, scenery.shadow);
    put(44, camera.up, halfPixel);
    even(48, scenery.sky, 2 * this.reach);
    even(52, scenery.ground, scenery.cue);
    even(56, scenery.sun, (2 * this.reach) / SHADOW_SIDE);
    put(60, this.background, 1);
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.frameBlock);
    gl.bufferSubData(gl.UNIFORM_BUFFER, 0, block);
  }

  drawShapes(tube, solid, ribbon) {
    const { gl } = this;
    let places = tube.use();
    for (const drawing of this.tubes) {
      if (!drawing.shape.shown) continue;
      if (places.colour) {
        gl.uniform3fv(places.colour, this.shade(drawing.shape.colour).colour);
        gl.uniform3fv(places.stripe, this.shade(drawing.shape.colour).stripe);
      }
      drawing.draw(gl);
    }
    places = solid.use();
    for (const drawing of this.bodies) if (drawing.shape.shown) drawing.draw(gl, places);
    places = ribbon.use();
    gl.uniform1i(places.last, 1 << 30);
    gl.uniform4f(places.now, 0, 0, 0, NOWHERE);
    gl.uniform1f(places.round, 1);
    for (const drawing of this.curves) {
      if (!drawing.shape.shown) continue;
      if (places.colour) gl.uniform3fv(places.colour, this.shade(drawing.shape.colour).colour);
      gl.uniform4f(places.width, drawing.shape.width / 2, 1.3, 0, 0);
      drawing.draw(gl);
    }
  }

  /** The picture of a time, on a canvas of so many device pixels. */
  draw(moment, time, width, height) {
    const { gl, camera, programs, markers } = this;
    for (const list of [this.tubes, this.curves, this.bodies]) for (const drawing of list) if (drawing.shape.shown) drawing.update(gl, moment);
    markers.update(gl, moment);

    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.disable(gl.BLEND);

    // from the lamp
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
    gl.viewport(0, 0, SHADOW_SIDE, SHADOW_SIDE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1.5, 4);
    gl.bindTexture(gl.TEXTURE_2D, null);
    this.backward = this.backward || [0, 0, 0];
    for (let i = 0; i < 3; ++i) this.backward[i] = -this.toLight[i];
    this.fillBlock(this.lamp, this.toLight, 0, this.backward, this.reach / SHADOW_SIDE);
    this.drawShapes(programs.tubeDepth, programs.solidDepth, programs.ribbonDepth);

    // from the eye
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.bindTexture(gl.TEXTURE_2D, this.shadowTexture);
    const back = (x) => x ** (1 / 2.2);
    gl.clearColor(back(this.background[0]), back(this.background[1]), back(this.background[2]), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.forward = this.forward || [0, 0, 0];
    for (let i = 0; i < 3; ++i) this.forward[i] = -camera.backward[i];
    const halfPixel = (0.5 * camera.extent) / camera.shorter / (camera.flat ? 1 : camera.distance);
    this.fillBlock(camera.matrix, camera.flat ? camera.backward : camera.eye, camera.flat ? 0 : 1, this.forward, halfPixel);
    this.drawShapes(programs.tube, programs.solid, programs.ribbon);

    let places = programs.ribbon.use();
    gl.uniform1f(places.round, 0);
    const { times } = this.recording;
    const bright = times.length > 1 ? 1.6 / (times[times.length - 1] - times[0]) : 0;
    gl.uniform4f(places.width, 0, 2.2, 3e-4, bright);
    for (const path of this.paths) {
      if (!path.shape.shown) continue;
      gl.uniform3fv(places.colour, this.shade(path.shape.colour).colour);
      path.draw(gl, places, moment, time);
    }

    this.drawMarkers(1);
    if (this.planes.length) {
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.polygonOffset(1, 4);
      places = programs.plane.use();
      gl.uniform3fv(places.colour, this.planeColour);
      gl.uniform3fv(places.line, this.planeLine);
      for (const plane of this.planes) if (plane.shape.shown) plane.draw(gl, places);
      gl.disable(gl.POLYGON_OFFSET_FILL);
    }

    // What markers are behind something shines through.
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthFunc(gl.GREATER);
    gl.depthMask(false);
    this.drawMarkers(0.5);
    gl.depthMask(true);
    gl.depthFunc(gl.LEQUAL);
    gl.bindVertexArray(null);
  }

  drawMarkers(alpha) {
    const { gl, programs, markers } = this;
    if (markers.arrowCount) {
      gl.uniform1f(programs.arrow.use().alpha, alpha);
      gl.bindVertexArray(markers.shafts);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, markers.arrowVertices, markers.arrowCount);
    }
    if (markers.pointCount) {
      gl.uniform1f(programs.marker.use().alpha, alpha);
      gl.bindVertexArray(markers.balls);
      gl.drawElementsInstanced(gl.TRIANGLES, markers.ballCount, gl.UNSIGNED_INT, 0, markers.pointCount);
    }
  }

  /** Wait until what was drawn is drawn. */
  finish() {
    this.gl.finish();
    this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, this.onePixel);
  }
}
)page"
