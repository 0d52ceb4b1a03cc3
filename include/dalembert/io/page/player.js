R"page(
// ---- The player: which time is shown. ----

class Player {
  /** @param changed called when the time, the speed or playing has changed. */
  constructor(recording, changed) {
    this.recording = recording;
    this.changed = changed;
    this.time = recording.first;
    this.playing = false;
    this.loop = true;
    const span = this.span;
    this.natural = this.speed = span > 0 ? roundNumber(span / 8) : 1; // about ten seconds
    this.before = NaN; // when the last frame was shown [ms]
    this.pace = 0;     // what lay between that and the one before [ms]
  }
  get span() {
    return this.recording.last - this.recording.first;
  }
  get playable() {
    return this.span > 0;
  }

  seek(time) {
    if (!Number.isFinite(time)) return;
    this.time = clamp(time, this.recording.begin, this.recording.end);
    this.changed();
  }
  /** There, and no farther. */
  jump(time) {
    this.pause();
    this.seek(time);
  }
  play() {
    if (!this.playable) return;
    if (this.time >= this.recording.last || this.time < this.recording.first) this.time = this.recording.first;
    this.playing = true;
    this.before = NaN;
    this.changed();
  }
  pause() {
    this.playing = false;
    this.changed();
  }
  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }
  /** To the next frame, or to the one before. */
  step(direction) {
    const times = [this.recording.times, ...this.recording.panels.map((panel) => panel.times)].find((one) => one.length);
    if (!times) return;
    const at = lastNotAbove(times, this.time);
    const on = Math.abs(times[at] - this.time) <= 1e-9 * this.span;
    this.jump(times[clamp(direction > 0 ? at + (times[at] > this.time && !on ? 0 : 1) : on ? at - 1 : at, 0, times.length - 1)]);
  }
  /** To the next of the speeds 1, 2, 5, 10 … or the one before. */
  changeSpeed(direction) {
    const near = roundNumber(this.speed);
    const digit = Math.round(near / 10 ** Math.floor(Math.log10(near * (1 + 1e-9))));
    const factor = direction > 0 ? (digit === 2 ? 2.5 : 2) : digit === 5 ? 0.4 : 0.5;
    this.setSpeed(clamp(near * factor, Math.min(1e-6, 1e-3 * this.natural), Math.max(1e6, 1e3 * this.natural)));
  }
  setSpeed(speed) {
    if (!(speed > 0) || !Number.isFinite(speed)) return;
    this.speed = Number(speed.toPrecision(12));
    this.changed();
  }

  /** Go on to the moment `now` [ms], as the screen asks for a new picture. */
  advance(now) {
    const passed = (now - this.before) / 1000;
    this.before = now;
    if (!this.playing || !(passed > 0)) return;
    this.pace = 1000 * passed;
    const { first, last } = this.recording;
    let time = this.time + Math.min(passed, 1) * this.speed; // a page that slept does not jump
    if (time >= last) {
      if (this.loop) time = first + ((time - last) % this.span);
      else {
        time = last;
        this.playing = false;
      }
    }
    this.time = time;
    this.changed();
  }
}
)page"
