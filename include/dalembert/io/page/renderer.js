R"page(
// ---- The renderer: shapes at a moment, as a picture. ----

const SHADOW_SIDE = 1280; // texels
const ARROW_SHARE = { few: 0.18, many: 0.09 }; // the longest arrow over the size of the scene
const NOWHERE = -1e30;    // in place of a point's time: the point is not there

class Program {
  constructor(gl, vertex, fragment) {
    this.gl = gl;
    this.handle = gl.createProgram();
    const refuse = (made, why) => {
      if (!made && !gl.isContextLost()) throw new Error(`a shader is refused: ${why}`);
    };
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(this.handle, shader);
      refuse(gl.getShaderParameter(shader, gl.COMPILE_STATUS), gl.getShaderInfoLog(shader));
    }
    gl.linkProgram(this.handle);
    refuse(gl.getProgramParameter(this.handle, gl.LINK_STATUS), gl.getProgramInfoLog(this.handle));
    gl.uniformBlockBinding(this.handle, gl.getUniformBlockIndex(this.handle, "Frame"), 0);
    gl.useProgram(this.handle);
    this.places = {};
    const count = gl.getProgramParameter(this.handle, gl.ACTIVE_UNIFORMS) || 0;
    for (let i = 0; i < count; ++i) {
      const { name } = gl.getActiveUniform(this.handle, i);
      this.places[name] = gl.getUniformLocation(this.handle, name);
    }
    if (this.places.shadow_map) gl.uniform1i(this.places.shadow_map, 0);
    if (this.places.numbers) gl.uniform1i(this.places.numbers, 1);
  }
  use() {
    this.gl.useProgram(this.handle);
    return this.places;
  }
}

/** A vertex array: corners, each a row of floats that the attributes 0, 1 … share out, perhaps with indices. */
function vertexArray(gl, corners, sizes, indices) {
  const vao = gl.createVertexArray(), stride = sizes.reduce((a, b) => a + b);
  gl.bindVertexArray(vao);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, corners, gl.STATIC_DRAW);
  let offset = 0;
  sizes.forEach((size, place) => {
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, gl.FLOAT, false, 4 * stride, 4 * offset);
    offset += size;
  });
  if (indices) {
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
  }
  gl.bindVertexArray(null);
  return vao;
}

/** Rows of four floats that shaders fetch by their number, folded into a texture. */
class FloatTexture {
  constructor(gl, count) {
    this.width = Math.min(count, 1024);
    this.height = Math.ceil(count / this.width);
    this.numbers = new Float32Array(4 * this.width * this.height);
    this.handle = gl.createTexture();
    this.bind(gl);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, this.width, this.height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }
  bind(gl) {
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.handle);
  }
  upload(gl) {
    this.bind(gl);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, this.width, this.height, gl.RGBA, gl.FLOAT, this.numbers);
  }
}

/** A rod: sections, and a tube through them. */
class TubeDrawing {
  constructor(gl, shape, meshes) {
    this.shape = shape;
    this.meshes = meshes; // finer and coarser, of one tube after the other: radius in pixels from which on, corners, vertex array
    this.texture = new FloatTexture(gl, 3 * shape.track.nodes);
    this.radii = [].concat(shape.radius);
    const { texture, radii } = this;
    for (let k = 0; k < shape.track.nodes; ++k) texture.numbers[12 * k + 3] = radii[k] ?? radii[0];
    this.there = false;
  }
  update(gl, moment, strains) {
    const { numbers } = this.texture;
    this.there = this.shape.track.sections(moment, numbers);
    if (!this.there) return;
    strains.paint(this.shape, numbers);
    this.texture.upload(gl);
  }
  draw(gl, pixel) {
    if (!this.there) return;
    let { vao, count, from } = this.meshes[0];
    for (let i = 1; i < this.meshes.length && this.radii[0] < from * pixel; ++i) ({ vao, count, from } = this.meshes[i]);
    this.texture.bind(gl);
    gl.bindVertexArray(vao);
    gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
  }
}

/** A line that moves: its points, and nothing before and after them. */
class CurveDrawing {
  constructor(gl, shape) {
    this.shape = shape;
    this.texture = new FloatTexture(gl, shape.track.nodes + 2);
    this.texture.numbers.fill(NOWHERE);
  }
  update(gl, moment) {
    const { track } = this.shape, { numbers } = this.texture;
    for (let k = 0; k < track.nodes; ++k) numbers[4 * k + 7] = track.position(moment, k, numbers, 4 * k + 4) ? 0 : NOWHERE;
    this.texture.upload(gl);
  }
  draw(gl) {
    this.texture.bind(gl);
    gl.drawArrays(gl.TRIANGLES, 0, 6 * (this.shape.track.nodes - 1));
  }
}

/** Where a point or a body has been. */
class PathDrawing {
  constructor(gl, shape, times) {
    this.shape = shape;
    this.texture = new FloatTexture(gl, times.length + 3);
    const { numbers } = this.texture;
    numbers.fill(NOWHERE);
    for (let i = 0; i < times.length; ++i)
      if (shape.track.position({ frame: i, fraction: 0 }, 0, numbers, 4 * i + 4))
        numbers[4 * i + 7] = times[i];
    this.texture.upload(gl);
    this.now = new Float32Array(4);
  }
  draw(gl, places, moment, time) {
    const there = this.shape.track.position(moment, 0, this.now, 0);
    this.now[3] = there ? 0 : NOWHERE;
    gl.uniform4fv(places.now, this.now);
    gl.uniform1i(places.last, moment.frame);
    gl.uniform1f(places.time, time);
    this.texture.bind(gl);
    gl.drawArrays(gl.TRIANGLES, 0, 6 * (moment.frame + 1));
  }
}

/** A rigid body. */
class BodyDrawing {
  constructor(gl, shape, size) {
    this.shape = shape;
    this.place = new Float32Array(4);
    this.turn = new Float32Array(4);
    this.parts = shape.parts.map((part) => {
      const mesh = partMesh(part, size);
      const [w, x, y, z] = part.turn;
      return {
        vao: vertexArray(gl, mesh.vertices, [3, 3], mesh.indices),
        count: mesh.indices.length,
        place: [...part.at, 0],
        turn: [x, y, z, w],
        pattern: !part.striped ? 0 : part.kind === "cylinder" ? 2 : part.kind === "outline" ? 3 : 1,
        number: part.colour ?? shape.colour,
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

/** All points, and all their arrows: three rows of floats each, of place and radius, colour, arrow. */
class Markers {
  constructor(gl, shapes, size) {
    this.shapes = shapes;
    this.size = size;
    const count = (some) => some.reduce((sum, { track }) => sum + track.nodes, 0), most = count(shapes) || 1;
    this.share = count(shapes.filter((shape) => shape.arrow)) > MANY_MARKERS ? ARROW_SHARE.many : ARROW_SHARE.few;
    [this.points, this.arrows] = [0, 0].map(() => ({ texture: new FloatTexture(gl, 3 * most), count: 0 }));
    this.colours = new Float32Array(3 * shapes.length);
    this.place = new Float32Array(3);
    this.arrow = new Float32Array(3);

    const balls = pointTriangles(most), shafts = arrowTriangles(most);
    this.points.vao = vertexArray(gl, balls, [4]);
    this.points.corners = balls.length / 4 / most;
    this.arrows.vao = vertexArray(gl, shafts, [4, 3]);
    this.arrows.corners = shafts.length / 7 / most;
  }
  add(to, i, radius) {
    const { numbers } = to.texture, at = 12 * to.count++;
    for (let k = 0; k < 3; ++k) {
      numbers[at + k] = this.place[k];
      numbers[at + 4 + k] = this.colours[3 * i + k];
      numbers[at + 8 + k] = this.arrow[k];
    }
    numbers[at + 3] = radius;
  }
  /** @param most the largest radius of a point. */
  update(gl, moment, most) {
    this.points.count = this.arrows.count = 0;
    for (let i = 0; i < this.shapes.length; ++i) {
      const { shown, track, radius, arrow, arrowShown } = this.shapes[i], length = this.share * this.size;
      for (let k = 0; shown && k < track.nodes && track.position(moment, k, this.place, 0); ++k) {
        this.add(this.points, i, Math.min(radius, most));
        if (arrow && arrowShown && track.arrow(moment, k, arrow.longest, length, this.arrow) > 1e-4 * this.size) this.add(this.arrows, i, 0.014 * length);
      }
    }
    if (this.points.count) this.points.texture.upload(gl);
    if (this.arrows.count) this.arrows.texture.upload(gl);
  }
  draw(gl, { texture, vao, corners, count }) {
    texture.bind(gl);
    gl.bindVertexArray(vao);
    gl.drawArrays(gl.TRIANGLES, 0, corners * count);
  }
}

/** A plane with a grid whose lines go through round numbers. */
class PlaneDrawing {
  constructor(gl, shape, scene, origin) {
    this.shape = shape;
    const given = shape.size > 0;
    this.side = given ? shape.size : 1.9 * scene.size;
    this.fades = given ? 0 : 1;
    this.grid = roundNumber(this.side / 16);
    this.normal = normalise([...shape.normal]);
    const [first, second] = ([this.first, this.second] = axesAcross(this.normal));
    // as near to the middle of the scene as it comes, if its place is free
    const at = shape.at.map((x, i) => x - origin[i]), away = -dot(this.normal, at);
    this.middle = given ? at : this.normal.map((n) => -away * n);
    const remainder = (axis) => -((dot(this.middle, axis) + dot(origin, axis)) % (5 * this.grid));
    this.offset = given ? [0, 0] : [remainder(first), remainder(second)];
    this.vao = vertexArray(gl, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), [2]);
  }
  draw(gl, places) {
    for (const name of ["middle", "first", "second", "normal"]) gl.uniform3fv(places[name], this[name]);
    gl.uniform2f(places.size, this.side / 2, this.grid);
    gl.uniform2fv(places.offset, this.offset);
    gl.uniform1f(places.fades, this.fades);
    gl.bindVertexArray(this.vao);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }
}

class Renderer {
  /** @param toLight a unit vector from the scene to the lamp. */
  constructor(gl, recording, strains, camera, toLight) {
    this.gl = gl;
    this.recording = recording;
    this.strains = strains;
    this.camera = camera; // the one that looks now
    const { scene, shapes, times } = recording;
    const kinds = (kind) => shapes.filter((shape) => shape.kind === kind);
    const { origin } = recording;

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
    // Rods with as many sections share their meshes.
    const meshes = new Map();
    this.tubes = kinds("tube").map((shape) => {
      const { nodes } = shape.track;
      if (!meshes.has(nodes))
        meshes.set(nodes, [[24, 32], [7, 16], [3, 10], [0, 6]].map(([from, sides]) => {
          const mesh = tubeMesh(nodes, sides);
          return { from, count: mesh.indices.length, vao: vertexArray(gl, mesh.corners, [4, 2], mesh.indices) };
        }));
      return new TubeDrawing(gl, shape, meshes.get(nodes));
    });
    this.curves = kinds("curve").map((shape) => new CurveDrawing(gl, shape));
    this.bodies = kinds("body").map((shape) => new BodyDrawing(gl, shape, scene.size));
    this.planes = kinds("plane").map((shape) => new PlaneDrawing(gl, shape, scene, origin));
    this.drawings = [...this.tubes, ...this.curves, ...this.bodies];
    this.markers = new Markers(gl, [...kinds("point"), ...kinds("contacts")], scene.size);
    this.empty = gl.createVertexArray(); // for lines, which need no more than numbers of corners
    this.paths = times.length > 1 ? shapes.filter((shape) => shape.path && !shape.still).map((shape) => new PathDrawing(gl, shape, times)) : [];

    this.middle = [0, 0, 0];
    this.whole = 0.5 * scene.size * 1.02;
    this.toLight = toLight;
    this.lampAxes = axesAcross(toLight);
    [this.lampView, this.lampBox, this.lamp] = [0, 0, 0].map(() => new Float32Array(16));
    this.block = new Float32Array(64);
    this.frameBlock = gl.createBuffer();
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.frameBlock);
    gl.bufferData(gl.UNIFORM_BUFFER, this.block, gl.DYNAMIC_DRAW);
    gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, this.frameBlock);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.makeShadowMap();
    this.onePixel = new Uint8Array(4);
    this.smoothTarget = { frame: gl.createFramebuffer(), colour: gl.createRenderbuffer(), depth: gl.createRenderbuffer(), width: 0, height: 0 };
  }

  /** A picture with four samples per pixel, from which the canvas gets its smooth edges. */
  bindSmoothTarget(width, height) {
    const { gl, smoothTarget: target } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.frame);
    if (target.width === width && target.height === height) return;
    target.width = width;
    target.height = height;
    const samples = Math.min(4, gl.getParameter(gl.MAX_SAMPLES));
    for (const [buffer, format, place] of [[target.colour, gl.RGBA8, gl.COLOR_ATTACHMENT0], [target.depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
    }
  }

  makeShadowMap() {
    const { gl } = this;
    this.shadowTexture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.shadowTexture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIDE, SHADOW_SIDE);
    for (const [name, value] of [
      [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE], [gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL],
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
    ]) gl.texParameteri(gl.TEXTURE_2D, name, value);
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
    const other = (colour) => colour.map((c) => (theme === "dark" ? 0.2 * c : 0.36 * c + 0.64 * 0.8));
    this.scenery = scenery;
    const shown = (hex) => one(hex).map((x) => x ** (1 / 2.2)); // as the screen shows it
    this.background = shown(scenery.background);
    this.rim = shown(scenery.line);
    this.planeColour = one(scenery.plane);
    this.planeLine = one(scenery.line);
    this.shades = PALETTES[theme].map((hex) => ({ colour: one(hex), stripe: other(one(hex)) }));
    const shade = (this.shade = (number) => this.shades[paletteNumber(number)]);
    for (const body of this.bodies)
      for (const part of body.parts) Object.assign(part, shade(part.number));
    this.markers.shapes.forEach((shape, i) => this.markers.colours.set(shade(shape.colour).colour, 3 * i));
  }

  /** What the shaders know of the frame. */
  fillBlock(matrix, eye, w, backward, halfPixel) {
    const { block, gl, camera, reach, scenery: { shadow, sky, ground, cue, sun } } = this;
    block.set([
      ...matrix, ...this.lamp, ...eye, w,
      ...backward.map((x) => -x), w * dot(backward, eye) - dot(backward, this.lampAt),
      ...this.toLight, shadow, ...camera.up, halfPixel, sky, sky, sky, 2 * reach, ground, ground, ground, cue,
      sun, sun, sun, (2 * reach) / SHADOW_SIDE, ...this.background, 1,
    ]);
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.frameBlock);
    gl.bufferSubData(gl.UNIFORM_BUFFER, 0, block);
  }

  drawShapes(tube, solid, ribbon) {
    const { gl } = this;
    gl.enable(gl.CULL_FACE);
    let places = tube.use();
    for (const drawing of this.tubes) {
      if (!drawing.shape.shown) continue;
      if (places.colour) {
        const { colour, stripe } = this.shade(drawing.shape.colour);
        gl.uniform3fv(places.colour, colour);
        gl.uniform3fv(places.stripe, stripe);
      }
      drawing.draw(gl, places.colour ? this.camera.pixel : Infinity);
    }
    places = solid.use();
    for (const drawing of this.bodies) if (drawing.shape.shown) drawing.draw(gl, places);
    gl.disable(gl.CULL_FACE);
    places = ribbon.use();
    gl.uniform1i(places.last, 1 << 30);
    gl.uniform4f(places.now, 0, 0, 0, NOWHERE);
    gl.uniform1f(places.round, 1);
    gl.bindVertexArray(this.empty);
    for (const drawing of this.curves) {
      if (!drawing.shape.shown) continue;
      if (places.colour) gl.uniform3fv(places.colour, this.shade(drawing.shape.colour).colour);
      gl.uniform4f(places.width, drawing.shape.width / 2, 1.3, 0, 0);
      drawing.draw(gl);
    }
  }

  /** The picture of a time, on a canvas of so many device pixels; smooth edges cost a slow machine as much as
   *  all the rest. Within it another camera's, `inset`, if there is one, on the device pixels `box`. */
  draw(moment, time, width, height, smooth, camera, inset, box) {
    const { gl } = this;
    for (const drawing of this.drawings) if (drawing.shape.shown) drawing.update(gl, moment, this.strains);
    this.smooth = smooth;
    if (smooth) this.bindSmoothTarget(width, height);
    this.look(moment, time, camera, [0, 0, width, height], this.middle, this.whole, Infinity);
    if (inset) this.look(moment, time, inset, box, inset.target, 2 * inset.extent, 0.02 * inset.extent);
    gl.disable(gl.SCISSOR_TEST);
    if (smooth) {
      gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
      gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    }
  }

  /** What a camera sees; the lamp lights what is in reach of a place, points are no larger than `most`. */
  look(moment, time, camera, box, place, reach, most) {
    const { gl, programs, markers, whole } = this;
    this.camera = camera;
    this.lampAt = place;
    this.reach = reach;
    viewMatrix(...this.lampAxes, this.toLight, place, this.lampView);
    const depth = whole + norm(place);
    multiply(orthographic(reach, reach, -depth, depth, this.lampBox), this.lampView, this.lamp);
    markers.update(gl, moment, most);

    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.disable(gl.BLEND);
    gl.disable(gl.SCISSOR_TEST);

    // from the lamp
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
    gl.viewport(0, 0, SHADOW_SIDE, SHADOW_SIDE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1.5, 4);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, null);
    this.fillBlock(this.lamp, this.toLight, 0, this.toLight, this.reach / SHADOW_SIDE);
    this.drawShapes(programs.tubeDepth, programs.solidDepth, programs.ribbonDepth);

    // from the eye
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.smooth ? this.smoothTarget.frame : null);
    gl.viewport(...box);
    gl.enable(gl.SCISSOR_TEST);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.shadowTexture);
    for (const [colour, rim] of [[this.rim, 2], [this.background, 0]]) {
      if (rim && place === this.middle) continue; // the picture has no rim, the inset has one
      gl.scissor(box[0] - rim, box[1] - rim, box[2] + 2 * rim, box[3] + 2 * rim);
      gl.clearColor(...colour, 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    }
    const halfPixel = (0.5 * camera.extent) / camera.shorter / (camera.flat ? 1 : camera.distance);
    const { flat, eye, backward } = camera;
    this.fillBlock(camera.matrix, flat ? backward : eye, flat ? 0 : 1, backward, halfPixel);
    this.drawShapes(programs.tube, programs.solid, programs.ribbon);

    let places = programs.ribbon.use();
    gl.uniform1f(places.round, 0);
    gl.bindVertexArray(this.empty);
    const { times } = this.recording;
    const bright = times.length > 1 ? 1.6 / (times[times.length - 1] - times[0]) : 0;
    gl.uniform4f(places.width, 0, 2.2, 3e-4, bright);
    for (const path of place === this.middle ? this.paths : []) { // they would cover what the inset shows
      if (!path.shape.shown || !path.shape.pathShown) continue;
      gl.uniform3fv(places.colour, this.shade(path.shape.colour).colour);
      path.draw(gl, places, moment, time);
    }

    this.drawMarkers(1);
    if (this.planes.length) {
      gl.enable(gl.BLEND);
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
    gl.depthFunc(gl.GREATER);
    gl.depthMask(false);
    this.drawMarkers(0.5);
    gl.depthMask(true);
    gl.depthFunc(gl.LEQUAL);
    gl.bindVertexArray(null);
  }

  drawMarkers(alpha) {
    const { gl, markers, programs } = this;
    gl.enable(gl.CULL_FACE);
    for (const [kind, program] of [[markers.arrows, programs.arrow], [markers.points, programs.marker]]) {
      if (!kind.count) continue;
      gl.uniform1f(program.use().alpha, alpha);
      markers.draw(gl, kind);
    }
    gl.disable(gl.CULL_FACE);
  }

  /** Wait until what was drawn is drawn. */
  finish() {
    this.gl.finish();
    this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, this.onePixel);
  }
}
)page"
