R"page(
// ---- Shaders. ----

/** What all of them know of the frame, a uniform block; the renderer fills it in this order. */
const GLSL_FRAME = `#version 300 es
precision highp float;
layout(std140) uniform Frame {
  mat4 view_projection; // from the world to the screen
  mat4 light_projection; // from the world to the light's map of depths
  vec4 eye; // its place; far away (w = 0) the direction to it
  vec4 forward; // where it looks; w: the distance of the middle of the scene along it
  vec4 to_light; // w: how dark shadows are
  vec4 up; // w: the half size of a pixel, at the distance one if the eye is near
  vec4 sky; // light from above; w: the distance over which depth fades
  vec4 ground; // light from below; w: how much it fades
  vec4 sun; // light from the lamp; w: the size of a texel of its map
  vec4 background; // as the screen shows it
};
// half a pixel, in metres, where a point is
float pixel(vec3 at) { return up.w * mix(1.0, dot(at - eye.xyz, forward.xyz), eye.w); }
vec3 toward_eye(vec3 at) { return normalize(eye.xyz - at * eye.w); }
`;

const GLSL_LIGHT = `
uniform highp sampler2DShadow shadow_map;

float sunlight(vec3 at, vec3 normal) {
  vec3 place = (light_projection * vec4(at + 1.5 * sun.w * normal, 1)).xyz * 0.5 + 0.5;
  if (any(lessThan(place, vec3(0.002))) || any(greaterThan(place, vec3(0.998)))) return 1.0;
  float texel = 0.7 / float(textureSize(shadow_map, 0).x);
  float lit = 0.0;
  for (int i = 0; i < 4; ++i) lit += texture(shadow_map, place + texel * vec3(i % 2 * 2 - 1, i / 2 * 2 - 1, 0));
  return mix(1.0, 0.25 * lit, to_light.w);
}

// a colour as the screen shows it, fainter with depth
vec3 faded(vec3 colour, vec3 at) {
  float depth = (dot(at - eye.xyz * eye.w, forward.xyz) - forward.w) / sky.w;
  return mix(pow(clamp(colour, 0.0, 1.0), vec3(1.0 / 2.2)), background.rgb, ground.w * clamp(0.5 + depth, 0.0, 1.0));
}

vec3 shaded(vec3 colour, vec3 at, vec3 n) {
  vec3 normal = normalize(n), to_eye = toward_eye(at);
  if (dot(normal, to_eye) < 0.0) normal = -normal;
  float facing = max(dot(normal, to_light.xyz), 0.0);
  float direct = facing > 0.0 ? facing * sunlight(at, normal) : 0.0;
  vec3 light = mix(ground.rgb, sky.rgb, 0.5 + 0.5 * dot(normal, up.xyz)) + sun.rgb * direct;
  float shine = pow(max(dot(normal, normalize(to_light.xyz + to_eye)), 0.0), 40.0) * min(direct * 4.0, 1.0);
  float rim = pow(1.0 - max(dot(normal, to_eye), 0.0), 4.0);
  return colour * light * (1.0 - 0.3 * rim) + 0.22 * shine * sun.rgb;
}

// from one shade (0) to the other (1) where x changes its sign, as sharp as a pixel allows
float edge(float x) { return clamp(0.5 + x / max(fwidth(x), 1e-30), 0.0, 1.0); }
`;

const GLSL_TURN = `
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
`;

// Points and sections come from a texture of floats, folded into rows: quicker than many instances.
const GLSL_FETCH = `
uniform highp sampler2D numbers;
vec4 fetched(int i) {
  int width = textureSize(numbers, 0).x;
  return texelFetch(numbers, ivec2(i % width, i / width), 0);
}
`;

/** Depth alone, for the light's map. */
const DEPTH_FRAGMENT = GLSL_FRAME + `
void main() {}
`;

const TUBE_VERTEX = GLSL_FRAME + GLSL_TURN + GLSL_FETCH + `
layout(location = 0) in vec4 rim;     // cos, sin, share of the radius, normal along the axis
layout(location = 1) in vec2 section; // which, and the angle in it
out vec3 at, normal;
out float angle;
out vec4 tint; // a colour, and whether it counts
void main() {
  int i = 3 * int(section.x);
  vec4 place = fetched(i), turn = fetched(i + 1); // place with the radius
  tint = fetched(i + 2);
  vec3 across = turned(turn, vec3(rim.xy, 0));
  normal = rim.w == 0.0 ? across : turned(turn, vec3(0, 0, rim.w));
  at = place.xyz + place.w * rim.z * across;
  angle = section.y;
  gl_Position = view_projection * vec4(at, 1);
}
`;
const TUBE_FRAGMENT = GLSL_FRAME + GLSL_LIGHT + `
in vec3 at, normal;
in float angle;
in vec4 tint;
uniform vec3 colour, stripe;
out vec4 pixel_colour;
void main() {
  float other = edge(sin(3.0 * angle) - 0.2);
  vec3 own = mix(mix(colour, stripe, other), tint.rgb * (1.0 - 0.25 * other), tint.a);
  pixel_colour = vec4(faded(shaded(own, at, normal), at), 1);
}
`;

const SOLID_VERTEX = GLSL_FRAME + GLSL_TURN + `
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 outward;
uniform vec4 body_place, body_turn, part_place, part_turn;
out vec3 at, normal, local;
void main() {
  local = corner;
  at = body_place.xyz + turned(body_turn, part_place.xyz + turned(part_turn, corner));
  normal = turned(body_turn, turned(part_turn, outward));
  gl_Position = view_projection * vec4(at, 1);
}
`;
const SOLID_FRAGMENT = GLSL_FRAME + GLSL_LIGHT + `
in vec3 at, normal, local;
uniform vec3 colour, stripe;
uniform int pattern; // 0 none, 1 octants, 2 sectors about the third axis, 3 quadrants
out vec4 pixel_colour;
void main() {
  vec3 own = colour;
  if (pattern == 2) own = mix(colour, stripe, edge(sin(4.0 * atan(local.y, local.x))));
  else if (pattern > 0) {
    vec3 side = 2.0 * vec3(edge(local.x), edge(local.y), edge(local.z)) - 1.0;
    own = mix(colour, stripe, 0.5 - 0.5 * side.x * side.y * (pattern == 1 ? side.z : 1.0));
  }
  pixel_colour = vec4(faded(shaded(own, at, normal), at), 1);
}
`;

// A line: a ribbon that faces the eye, shaded as if it were round. Each piece has six corners and knows the points around it: x, y, z and their time,
// NOWHERE if they are not there. What comes after the point `last` is where the line is now.
const RIBBON_VERTEX = GLSL_FRAME + GLSL_FETCH + `
uniform vec4 now;                    // w: NOWHERE if it is not there
uniform int last;
uniform float time;
uniform vec4 width;                  // half of it [m], the least in half pixels, nearer to the eye by, 1/how long it stays bright
out vec3 at, across;
out float side, age;
const float NOWHERE = -1e30;
const vec2 CORNERS[6] = vec2[6](vec2(0, -1), vec2(0, 1), vec2(1, -1), vec2(1, -1), vec2(0, 1), vec2(1, 1)); // which end, which side
void main() {
  int piece = gl_VertexID / 6;
  vec2 corner = CORNERS[gl_VertexID % 6];
  vec4 before = fetched(piece), here = fetched(piece + 1), there = fetched(piece + 2), after = fetched(piece + 3);
  vec4 present = vec4(now.xyz, now.w > NOWHERE && here.w > NOWHERE ? time : NOWHERE);
  vec4 a = here, b = piece >= last ? present : there;
  vec4 z = piece + 1 >= last ? (piece >= last ? b : present) : after;
  vec3 along = corner.x < 0.5 ? b.xyz - (before.w > NOWHERE ? before.xyz : a.xyz) : (z.w > NOWHERE ? z.xyz : b.xyz) - a.xyz;
  if (dot(along, along) == 0.0) along = b.xyz - a.xyz;
  at = corner.x < 0.5 ? a.xyz : b.xyz;
  vec3 normal = toward_eye(at);
  across = cross(normal, along);
  float length_across = length(across);
  across = length_across > 0.0 ? across / length_across : vec3(0);
  side = corner.y;
  age = clamp((time - (corner.x < 0.5 ? a.w : b.w)) * width.w, 0.0, 1.0);
  at += across * side * max(width.x, width.y * pixel(at));
  gl_Position = a.w > NOWHERE && b.w > NOWHERE ? view_projection * vec4(at, 1) : vec4(2, 2, 2, 1);
  gl_Position.z -= width.z * (1.0 - 0.5 * age) * gl_Position.w; // where it passes again, the later lies over the earlier
}
`;
const RIBBON_FRAGMENT = GLSL_FRAME + GLSL_LIGHT + `
in vec3 at, across;
in float side, age;
uniform vec3 colour;
uniform float round; // 1 for a string, 0 for a line that is nothing but a line
out vec4 pixel_colour;
void main() {
  vec3 normal = normalize(across * side + toward_eye(at) * sqrt(max(1.0 - side * side, 0.0)));
  vec3 own = mix(colour, shaded(colour, at, normal), round);
  pixel_colour = vec4(mix(faded(own, at), background.rgb, 0.55 * age), 1);
}
`;

// Markers have three texels each: place and radius, colour, arrow.
const MARKER_VERTEX = GLSL_FRAME + GLSL_FETCH + `
layout(location = 0) in vec4 corner; // on the unit sphere; of which marker
out vec3 at, normal, colour;
void main() {
  int marker = 3 * int(corner.w);
  vec4 place = fetched(marker);
  normal = corner.xyz;
  colour = fetched(marker + 1).rgb;
  at = place.xyz + corner.xyz * max(place.w, 7.0 * pixel(place.xyz));
  gl_Position = view_projection * vec4(at, 1);
  gl_Position.z -= 2e-5 * gl_Position.w;
}
`;
const ARROW_VERTEX = GLSL_FRAME + GLSL_FETCH + `
layout(location = 0) in vec4 rim;    // cos, sin, which radius, which station
layout(location = 1) in vec3 facing; // of the normal: outward, along; of which marker
out vec3 at, normal, colour;
void main() {
  int marker = 3 * int(facing.z);
  vec4 place = fetched(marker);
  vec3 vector = fetched(marker + 2).xyz;
  float whole = length(vector);
  vec3 axis = vector / max(whole, 1e-30);
  vec3 first = normalize(cross(abs(axis.x) < 0.9 ? vec3(1, 0, 0) : vec3(0, 1, 0), axis)), second = cross(axis, first);
  vec3 out_ = rim.x * first + rim.y * second;
  float shaft = min(clamp(place.w, 2.2 * pixel(place.xyz), 9.0 * pixel(place.xyz)), 0.12 * whole), head = min(8.0 * shaft, 0.5 * whole);
  float radius = rim.z < 0.5 ? 0.0 : rim.z < 1.5 ? shaft : 0.36 * head;
  float along = rim.w < 0.5 ? 0.0 : rim.w < 1.5 ? whole - head : whole;
  at = place.xyz + along * axis + radius * out_;
  normal = facing.x * out_ + facing.y * axis;
  colour = fetched(marker + 1).rgb;
  gl_Position = view_projection * vec4(at, 1);
}
`;
const MARKER_FRAGMENT = GLSL_FRAME + GLSL_LIGHT + `
in vec3 at, normal, colour;
uniform float alpha;
out vec4 pixel_colour;
void main() { pixel_colour = vec4(faded(shaded(colour, at, normal), at), 1) * alpha; }
`;

const PLANE_VERTEX = GLSL_FRAME + `
layout(location = 0) in vec2 corner;
uniform vec3 middle, first, second;
uniform vec2 size; // half its side, distance of grid lines
out vec3 at;
out vec2 place;
void main() {
  place = corner * size.x;
  at = middle + place.x * first + place.y * second;
  gl_Position = view_projection * vec4(at, 1);
}
`;
const PLANE_FRAGMENT = GLSL_FRAME + GLSL_LIGHT + `
in vec3 at;
in vec2 place;
uniform vec3 colour, line, normal;
uniform vec2 size, offset; // offset: from the middle to a crossing of the grid
uniform float fades;       // 1: towards its rim
out vec4 pixel_colour;
// how much of a pixel lines at whole numbers cover
float lines(vec2 x, float thick) {
  vec2 width = fwidth(x), away = abs(fract(x - 0.5) - 0.5);
  vec2 cover = clamp((thick + 0.5) - away / max(width, 1e-9), 0.0, 1.0) * clamp(0.35 / max(width, 1e-9) - 0.4, 0.0, 1.0);
  return max(cover.x, cover.y);
}
void main() {
  vec2 grid = (place - offset) / size.y;
  float cover = max(0.45 * lines(grid, 0.4), 0.8 * lines(grid / 5.0, 0.6));
  vec3 upward = dot(normal, toward_eye(at)) < 0.0 ? -normal : normal;
  float facing = dot(upward, to_light.xyz);
  float light = facing > 0.0 ? sunlight(at, upward) : 1.0;
  vec3 own = mix(colour, line, cover) * mix(0.45, 1.0, light);
  float far = fades * smoothstep(0.55, 1.0, length(place) / size.x);
  float alpha = (1.0 - far) * (dot(normal, toward_eye(at)) < 0.0 ? 0.35 : 1.0);
  pixel_colour = vec4(pow(own, vec3(1.0 / 2.2)), 1) * alpha;
}
`;
)page"
