R"page(
// ---- The page. ----

const root = document.documentElement;

/** What is shown, where it stands, and what happens to it. */
class Page {
  constructor(recording) {
    this.recording = recording;
    this.embed = false;
    this.chosenTheme = null;
    this.asked = 0; // the picture that the screen was asked for
    this.stale = true;
    this.seen = ""; // what the controls say of the player
    this.perhaps = () => this.invalidate();
    this.onFrame = (now) => this.frame(now);

    writeTexts(recording);
    this.player = new Player(recording, this.perhaps);
    this.stage = this.makeStage();
    this.legend = writeLegend(recording, () => {
      this.legend.update();
      this.invalidate();
    });
    this.scaleBar = new ScaleBar();
    this.tints = make("div");
    writeScales(recording, this.stage ? this.stage.renderer.planes : [], this.scaleBar, this.tints);
    this.panels = recording.panels.map((panel) => new PanelView(panel, recording, this.player));
    element("panels").append(...this.panels.map((panel) => panel.figure));
    root.classList.toggle("has-both", this.panels.length > 0 && recording.shapes.length > 0);
    root.classList.toggle("has-scene", recording.shapes.length > 0);

    const { times } = recording, unit = unitText(recording.variable.unit), end = times.length - 1;
    const [from, to] = [times[0], times[end]].map((time) => numberText(time));
    const span = end > 0 ? `from ${from} to ${to}` : `at ${from}`;
    element("beyond").textContent = end < 0 ? "" : `The scene was recorded ${span}${unit}.`;
    this.wireControls();
    this.wireKeys();
    this.followColours();
    new ResizeObserver(() => this.resized()).observe(element("frame"));
    new ResizeObserver(() => this.redrawPanels()).observe(element("panels"));
    window.addEventListener("hashchange", () => location.hash === this.written || this.obey(readAddress(location.hash), false));
    this.obey(readAddress(location.hash), true);
    this.resized();
    this.redrawPanels();
  }

  /** The scene, or null where there is nothing to be seen or nothing to see it with. */
  makeStage() {
    const { shapes } = this.recording, canvas = element("canvas");
    if (!shapes.length) {
      element("frame").hidden = true;
      return null;
    }
    let stage;
    try {
      stage = new Stage(canvas, this.recording);
    } catch (error) {
      if (error.message !== "no WebGL 2") throw error;
      element("frame").hidden = true;
      element("no-webgl").hidden = false;
      element("stage").append(element("pictures"));
      return null;
    }
    root.classList.add("webgl");
    steerCamera(canvas, stage.camera, () => this.looked(), () => this.resetView(), () => this.embed);
    // Alone in another page there is no button: a click plays and pauses.
    let pressed = [0, 0];
    canvas.addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]));
    canvas.addEventListener("click", (event) => {
      if (this.embed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 4) this.player.toggle();
    });
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      element("asleep").hidden = false;
    });
    canvas.addEventListener("webglcontextrestored", () => {
      element("asleep").hidden = true;
      stage.make();
      this.invalidate();
    });
    return stage;
  }

  // -- what is shown --

  invalidate() {
    this.stale = true;
    if (!this.asked) this.asked = requestAnimationFrame(this.onFrame);
  }
  frame(now) {
    this.asked = 0;
    this.player.advance(now);
    if (this.stage && this.player.playing) this.stage.paced(this.player.pace);
    if (this.stale) this.show();
    if (this.player.playing && !this.asked) this.asked = requestAnimationFrame(this.onFrame);
  }
  /** Draw the present time, now. */
  show() {
    this.stale = false;
    const { recording, player } = this;
    recording.moment.set(recording.times, player.time);
    if (this.stage) this.stage.draw(recording.moment, player.time, player.playing);
    if (this.stage) this.scaleBar.update(this.stage.camera.pixel);
    for (const panel of this.panels) panel.show();
    this.showControls();
  }
  showControls() {
    const { player } = this;
    root.classList.toggle("playing", player.playing);
    const decimals = (this.decimals ??= decimalsFor(player.span > 0 ? player.span / 2000 : 1));
    const { name, unit } = this.recording.variable;
    const text = `${name} = ${timeText(player.time, decimals)}${unitText(unit)}`;
    if (text !== this.timeText) {
      this.timeText = text;
      element("time").textContent = text;
      element("slider").value = String(player.time);
      element("slider").setAttribute("aria-valuetext", text);
    }
    const { times } = this.recording;
    const beyond = this.stage !== null && times.length > 0 && (player.time > times[times.length - 1] || player.time < times[0]);
    element("beyond").hidden = !beyond;
    const state = [player.playing, player.speed, player.loop].join();
    if (state === this.seen) return;
    this.seen = state;
    element("play").setAttribute("aria-label", player.playing ? "Pause" : "Play");
    element("speed").textContent = `×${numberText(player.speed, 3)}`;
    press(element("loop"), player.loop);
  }
  resized() {
    if (this.stage && this.stage.resize()) this.show(); // at once: a canvas of another size is empty
  }
  redrawPanels() {
    for (const panel of this.panels) panel.draw();
  }
  /** The eye is where it must be at the present time. */
  meetMoment() {
    this.recording.moment.set(this.recording.times, this.player.time);
    this.stage.keepUp(this.recording.moment);
  }
  /** Go with a shape, or stay (null). */
  follow(shape) {
    if (!this.stage) return;
    if (shape && !this.stage.moving.includes(shape)) throw new RangeError(`"${shape.name}" does not move`);
    this.meetMoment();
    this.stage.follow(shape);
    press(element("follow"), shape !== null);
    this.invalidate();
  }
  toggleFollowing() {
    const { stage } = this;
    if (stage?.leader) this.follow(stage.followed ? null : stage.leader);
  }
  /** Have an inset about a point, or none (null). */
  centre(point) {
    const { stage } = this;
    if (!stage?.points.length) return;
    element("inset").hidden = !point;
    press(element("inset-button"), point !== null);
    if (point) element("inset-point").value = String(stage.points.indexOf(point));
    stage.centre(point, element("inset"));
    this.invalidate();
  }
  toggleInset() {
    if (this.stage) this.centre(this.stage.centred ? null : this.stage.points[element("inset-point").value]);
  }
  /** Colour tubes by one of the measures. */
  tint(measure) {
    if (!this.stage || !MEASURES[measure]) return;
    const { strains } = this.stage;
    if (!strains.tubes.length) return;
    strains.choose(measure);
    strains.explain(this.tints);
    element("tint").value = String(measure);
    this.invalidate();
  }
  /** The reader has turned or moved the scene. */
  looked() {
    this.stage.moved = true;
    this.invalidate();
  }
  resetView() {
    if (!this.stage) return;
    this.stage.firstView();
    this.invalidate();
  }

  // -- light and dark --

  followColours() {
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const follow = () => this.paint(this.chosenTheme || (dark.matches ? "dark" : "light"));
    dark.addEventListener("change", follow);
    follow();
  }
  setTheme(theme) {
    if (theme !== "light" && theme !== "dark") throw new RangeError(`a theme is "light" or "dark", not "${theme}"`);
    this.chosenTheme = theme;
    this.paint(theme);
  }
  toggleTheme() {
    this.setTheme(root.dataset.theme === "dark" ? "light" : "dark");
  }
  paint(theme) {
    root.dataset.theme = theme;
    element("theme").textContent = theme === "dark" ? "Light" : "Dark";
    if (this.stage) this.stage.setTheme(theme);
    this.legend.paint(theme);
    this.redrawPanels();
    this.invalidate();
  }

  // -- the address --

  /** @param first the page has just been opened: it may begin to play by itself. */
  obey(address, first) {
    const { player, stage } = this;
    this.embed = address.embed;
    root.classList.toggle("embed", address.embed);
    if (address.theme) this.setTheme(address.theme);
    if (address.loop !== undefined) player.loop = address.loop;
    if (address.speed !== undefined) player.setSpeed(address.speed);
    if (address.time !== undefined) player.seek(address.time);
    const named = (shapes, word) => shapes.find(({ name }) => name === word);
    if (address.follow !== undefined && stage)
      this.follow(address.follow === "0" ? null : named(stage.moving, address.follow) || stage.leader);
    if (address.inset !== undefined && stage) this.centre(named(stage.points, address.inset) || null);
    if (address.tint !== undefined) this.tint(MEASURES.indexOf(address.tint));
    if (stage && address.moved) {
      stage.resize(); // what the address does not say is as the first view of this size has it
      this.meetMoment();
      stage.camera.state = address.camera;
      stage.moved = true;
    }
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const byItself = first && !calm && address.time === undefined;
    if (address.play ?? byItself) player.play();
    else if (address.play === false) player.pause();
    this.invalidate();
  }
  link() {
    const { player, stage, chosenTheme, embed } = this;
    location.hash = writeAddress({
      player, theme: chosenTheme, embed, camera: stage && stage.camera.state,
      follow: stage?.leader ? (stage.followed ? stage.followed.name : "0") : undefined,
      inset: stage?.centred?.name,
      tint: stage && stage.strains.measure && MEASURES[stage.strains.measure],
    });
    this.written = location.hash; // which nobody needs to obey
    const button = element("link"), say = (text) => {
      button.textContent = text;
      setTimeout(() => (button.textContent = "Link to this view"), 1600);
    };
    const copied = navigator.clipboard ? navigator.clipboard.writeText(location.href) : Promise.reject();
    copied.then(() => say("Copied"), () => say("It is in the address"));
  }

  // -- saving --

  /** The present picture of the scene, as a PNG. */
  picture() {
    this.show(); // the canvas keeps what was drawn until the browser has shown it
    return new Promise((resolve) => this.stage.canvas.toBlob(resolve, "image/png"));
  }
  /** A film of the scene from now until `stop` of what is returned, which promises a WebM. */
  film() {
    const kind = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((one) => MediaRecorder.isTypeSupported(one));
    const recorder = new MediaRecorder(this.stage.canvas.captureStream(30), { mimeType: kind, videoBitsPerSecond: 8e6 }), pieces = [];
    recorder.addEventListener("dataavailable", (event) => pieces.push(event.data));
    const made = new Promise((resolve) => recorder.addEventListener("stop", () => resolve(new Blob(pieces, { type: "video/webm" }))));
    recorder.start();
    return { stop: () => (recorder.stop(), made) };
  }
  /** Have the browser save a file, named by the page's title without what names of files cannot have. */
  save(blob, ending) {
    const link = make("a");
    link.href = URL.createObjectURL(blob);
    const name = document.title.replace(/[^\p{L}\p{N}_.,()+-]+/gu, " ").trim().slice(0, 80);
    link.download = `${name || "scene"}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
  savePicture() {
    if (this.stage) this.picture().then((blob) => this.save(blob, "png"));
  }
  toggleRecording() {
    if (!this.stage || !window.MediaRecorder) return;
    press(element("record"), !this.running);
    if (this.running) {
      this.running.stop().then((blob) => this.save(blob, "webm"));
      this.running = null;
    } else {
      this.running = this.film();
      this.player.play();
    }
  }

  // -- controls --

  help(open) {
    element("help").hidden = !open;
    element("help-button").setAttribute("aria-expanded", String(open));
    (open ? element("help-close") : element("help-button")).focus();
  }

  wireControls() {
    const { player } = this, { first, last } = this.recording;
    // what buttons do, by their ids; keys do the same
    this.does = {
      play: () => player.toggle(), back: () => player.step(-1), on: () => player.step(1),
      slower: () => player.changeSpeed(-1), faster: () => player.changeSpeed(1),
      loop: () => this.toggleLoop(), follow: () => this.toggleFollowing(), reset: () => this.resetView(),
      picture: () => this.savePicture(), record: () => this.toggleRecording(), link: () => this.link(),
      theme: () => this.toggleTheme(), "inset-button": () => this.toggleInset(),
      "help-button": () => this.help(element("help").hidden), "help-close": () => this.help(false),
    };
    for (const id in this.does) element(id).addEventListener("click", this.does[id]);
    const hide = (hidden, ...ids) => ids.forEach((id) => (element(id).hidden = hidden));
    const { stage } = this;
    hide(!stage, "picture", "help-button", "reset");
    hide(!window.MediaRecorder || !stage?.canvas.captureStream, "record");
    hide(!stage?.leader, "follow");
    hide(!stage?.points.length, "inset-button");
    hide(!stage?.strains.tubes.length, "tint");
    hide(!player.playable, "controls");
    if (stage) press(element("follow"), stage.followed !== null);
    this.wireMenus(stage ? stage.points : []);
    const slider = element("slider");
    Object.assign(slider, { min: first, max: last, step: "any" });
    slider.addEventListener("input", () => player.jump(Number(slider.value)));
  }
  /** What the inset shows, and what colours tubes. */
  wireMenus(points) {
    const point = element("inset-point"), tint = element("tint");
    const width = (one) => numberText(this.stage.extentAbout(one), 2);
    point.append(...points.map((one, i) => new Option(`${one.name}, ${width(one)} m`, i)));
    point.value = Math.max(0, points.findIndex(({ arrow }) => arrow && arrow.longest > 0));
    point.addEventListener("change", () => this.centre(points[point.value]));
    tint.append(...MEASURES.map((name, i) => new Option(name, i)));
    tint.addEventListener("change", () => this.tint(Number(tint.value)));
    this.tints.hidden = true;
  }
  toggleLoop() {
    this.player.loop = !this.player.loop;
    this.invalidate();
  }

  wireKeys() {
    const { player, does } = this;
    const look = (turn) => () => {
      if (!this.stage) return;
      turn(this.stage.camera);
      this.looked();
    };
    const orbit = (yaw, pitch) => look((camera) => camera.orbit(yaw, pitch));
    const zoom = (factor) => look((camera) => camera.zoom(factor, 0, 0));
    const seek = (time) => () => player.jump(time);
    const keys = {
      " ": does.play, ArrowLeft: does.back, ArrowRight: does.on, "[": does.slower, "]": does.faster,
      Home: seek(this.recording.first), End: seek(this.recording.last),
      "+": zoom(1.2), "=": zoom(1.2), "-": zoom(1 / 1.2),
      a: orbit(-5, 0), d: orbit(5, 0), w: orbit(0, 5), s: orbit(0, -5),
      "shift ArrowLeft": orbit(-5, 0), "shift ArrowRight": orbit(5, 0),
      "shift ArrowUp": orbit(0, 5), "shift ArrowDown": orbit(0, -5),
      0: does.reset, f: does.follow, o: does.loop, l: does.link, p: does.picture, r: does.record,
      t: does.theme, i: does["inset-button"],
      c: () => this.tint((Number(element("tint").value) + 1) % MEASURES.length),
      "?": does["help-button"], Escape: () => element("help").hidden || this.help(false),
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select")) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const act = keys[event.shiftKey && key.startsWith("Arrow") ? `shift ${key}` : key];
      // Space on a button is that button's.
      if (!act || (key === " " && event.target.closest("button, summary"))) return;
      event.preventDefault();
      act();
    });
  }
}

/** For programs: what a reader can do, and what there is to be read. */
function faceOf(page) {
  const { recording, player } = page, moment = new Moment();
  const stage = () => {
    if (!page.stage) throw new Error("this page draws no scene");
    return page.stage;
  };
  const shapeNamed = (name) => {
    const shape = recording.shapes.find((one) => one.name === name);
    if (!shape) throw new RangeError(`no shape is called "${name}"`);
    return shape;
  };
  return {
    get times() { return Array.from(recording.times); },
    get time() { return player.time; },
    get playing() { return player.playing; },
    get speed() { return player.speed; },
    set speed(speed) { player.setSpeed(speed); },
    get loop() { return player.loop; },
    get shapes() { return recording.shapes.map(({ name, kind, shown }) => ({ name, kind, shown })); },
    get camera() { return stage().camera.state; },
    set camera(state) {
      stage().camera.state = state;
      page.looked();
    },
    get followed() { return stage().followed && stage().followed.name; },
    /** The name of the point that the inset shows, or null. */
    get inset() { return stage().centred && stage().centred.name; },
    set inset(name) { page.centre(name === null ? null : shapeNamed(name)); },
    /** What colours tubes: "plain", "curvature", "twist" or "stretch". */
    get tint() { return MEASURES[stage().strains.measure]; },
    set tint(name) { page.tint(MEASURES.indexOf(name)); },
    /** Go with a shape, or stay: no name. */
    follow: (name) => page.follow(name === undefined ? null : shapeNamed(name)),
    play: () => player.play(),
    pause: () => player.pause(),
    seek(time) {
      player.seek(time);
      page.show();
    },
    setTheme: (theme) => page.setTheme(theme),
    /** The present picture of the scene, a PNG. */
    picture: () => (stage(), page.picture()),
    /** Begin a film of the scene; its stop() promises a WebM. */
    film: () => (stage(), page.film()),
    /** Show or hide a shape; all shapes without a name; or what goes with it, "arrow" or "path". */
    show(shown, name, part) {
      const flag = part === "arrow" ? "arrowShown" : part === "path" ? "pathShown" : "shown";
      for (const shape of name === undefined ? recording.shapes : [shapeNamed(name)]) shape[flag] = shown;
      page.legend.update();
      page.invalidate();
    },
    /** Where a body or a point is at a time [m], as the page draws it; null if it is nowhere. */
    position(name, time = player.time, node = 0) {
      const x = [0, 0, 0], { track } = shapeNamed(name);
      return track && track.position(moment.set(recording.times, time), node, x, 0) ? x.map((c, i) => c + recording.origin[i]) : null;
    },
    /** Where a place [m] is on the canvas [CSS pixels]. */
    project(place) {
      stage().camera.update();
      return page.stage.camera.project(place.map((c, i) => c - recording.origin[i]));
    },
    /** Draw the present picture, at rest or as one of a motion, and wait until it is there [ms]. */
    drawnFrame(moving = player.playing) {
      const before = performance.now();
      stage().draw(recording.moment.set(recording.times, player.time), player.time, moving);
      stage().renderer.finish();
      return performance.now() - before;
    },
  };
}

const ready = new Promise((resolve, reject) => {
  try {
    const page = new Page(Recording.read());
    window.dalembertView = faceOf(page);
    page.show();
    requestAnimationFrame(() => resolve());
  } catch (error) {
    element("banner").textContent = `This page cannot be shown: ${error.message}`;
    element("banner").hidden = false;
    window.dalembertView = {};
    reject(error);
  }
});
window.dalembertView.ready = ready;
)page"
