R"page(
// ---- The address: a view that can be sent. ----
// After the # there is, for instance, t=1.25&play=0&follow=ball&yaw=30&at=0,0,0&inset=contact&tint=twist;
// `embed` shows the scene alone.

function readAddress(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (name) => (words.get(name) && Number.isFinite(Number(words.get(name))) ? Number(words.get(name)) : undefined);
  const choice = (name) => (words.has(name) ? words.get(name) !== "0" : undefined);
  const at = words.get("at") ? words.get("at").split(",").map(Number) : undefined;
  const theme = ["light", "dark"].includes(words.get("theme")) ? words.get("theme") : undefined;
  return {
    embed: words.has("embed"), time: number("t"), speed: number("speed"), play: choice("play"), loop: choice("loop"), follow: words.get("follow") ?? undefined, theme,
    inset: words.get("inset") ?? undefined, tint: words.get("tint") ?? undefined,
    camera: { yaw: number("yaw"), pitch: number("pitch"), extent: number("extent"), target: at },
    moved: ["yaw", "pitch", "extent", "at"].some((name) => words.has(name)),
  };
}

/** @param theme null where the reader did not choose one. */
function writeAddress({ player, camera, follow, theme, inset, tint, embed }) {
  const words = [`t=${player.time}`, `speed=${player.speed}`, `play=${player.playing ? 1 : 0}`, `loop=${player.loop ? 1 : 0}`];
  if (camera) words.push(`yaw=${camera.yaw}`, `pitch=${camera.pitch}`, `extent=${camera.extent}`, `at=${camera.target.join(",")}`);
  if (follow !== undefined) words.push(`follow=${encodeURIComponent(follow)}`);
  if (inset) words.push(`inset=${encodeURIComponent(inset)}`);
  if (tint) words.push(`tint=${tint}`);
  if (theme) words.push(`theme=${theme}`);
  return (embed ? "embed&" : "") + words.join("&");
}
)page"
