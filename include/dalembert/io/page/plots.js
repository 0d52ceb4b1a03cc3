R"page(
// ---- Panels: numbers over time. ----

const PANEL_HEIGHT = 170, PLOT = { left: 62, right: 12, top: 8, bottom: 24 }; // [CSS pixels]

/** One picture of curves, the values at the present time beneath it. */
class PanelView {
  constructor(panel, recording, player) {
    this.panel = panel;
    this.recording = recording;
    this.player = player;
    this.hidden = new Set();
    this.row = -1;
    this.width = 300; // [CSS pixels]

    const unit = panel.unit && panel.unit !== "1" ? ` [${panel.unit}]` : "";
    const text = panel.title + unit + (panel.logarithmic ? ", magnitudes" : "");
    this.figure = make("figure", { className: "panel" });
    this.canvas = make("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `${panel.title} over time: ${panel.curves.map((curve) => curve.name).join(", ")}`);
    this.cursor = make("div", { className: "cursor" });
    this.plot = make("div", { className: "plot" });
    this.plot.append(this.canvas, this.cursor);
    this.keys = make("div", { className: "keys" });
    this.values = panel.curves.map((curve, i) => {
      const key = make("button", { type: "button", title: `show or hide ${curve.name}` });
      const swatch = make("i"), value = make("output");
      press(key, true);
      key.append(swatch, curve.name, value);
      key.addEventListener("click", () => {
        if (!this.hidden.delete(i)) this.hidden.add(i);
        press(key, !this.hidden.has(i));
        this.draw();
      });
      this.keys.append(key);
      return { swatch, value };
    });
    this.figure.append(make("figcaption", { textContent: text }), this.plot, this.keys);

    const seek = (event) => {
      const box = this.canvas.getBoundingClientRect();
      this.player.seek(this.timeAt(event.clientX - box.left));
    };
    this.plot.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.plot.setPointerCapture(event.pointerId);
      this.player.pause();
      seek(event);
    });
    this.plot.addEventListener("pointermove", (event) => {
      if (this.plot.hasPointerCapture(event.pointerId)) seek(event);
    });
  }

  xOf(time) {
    const { begin, end } = this.recording;
    return PLOT.left + ((time - begin) / (end - begin || 1)) * (this.width - PLOT.left - PLOT.right);
  }
  timeAt(x) {
    const { begin, end } = this.recording;
    return begin + ((x - PLOT.left) / (this.width - PLOT.left - PLOT.right)) * (end - begin);
  }

  /** The number that is drawn for a value; NaN for a gap. */
  drawn(value) {
    const y = this.panel.logarithmic ? Math.log10(Math.abs(value)) : value;
    return Number.isFinite(y) ? y : NaN;
  }

  range() {
    let low = Infinity, high = -Infinity;
    this.panel.curves.forEach((curve, i) => {
      if (this.hidden.has(i)) return;
      for (const value of curve.values) {
        const y = this.drawn(value);
        if (y < low) low = y;
        if (y > high) high = y;
      }
    });
    if (!(low <= high)) return this.panel.logarithmic ? [-1, 0] : [0, 1];
    if (this.panel.logarithmic) return [Math.floor(low), Math.max(Math.ceil(high), Math.floor(low) + 1)];
    if (high - low <= 1e-6 * Math.abs(high)) return [low - (Math.abs(low) * 1e-3 || 1), high + (Math.abs(high) * 1e-3 || 1)];
    const room = 0.06 * (high - low);
    return [low - room, high + room];
  }

  /** Everything but the cursor; asked for when the size or the colours change. */
  draw() {
    const { panel } = this, height = PANEL_HEIGHT;
    const width = (this.width = Math.max(this.plot.clientWidth, PLOT.left + PLOT.right + 40));
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.figure);
    const { theme } = root.dataset;
    const [low, high] = this.range();
    const bottom = height - PLOT.bottom, right = width - PLOT.right;
    const yOf = (y) => bottom - ((y - low) / (high - low)) * (bottom - PLOT.top);

    pen.font = "11px system-ui, sans-serif";
    pen.lineWidth = 1;
    pen.strokeStyle = style.getPropertyValue("--rule");
    pen.fillStyle = style.getPropertyValue("--quiet");
    const line = (x0, y0, x1, y1) => {
      pen.beginPath();
      pen.moveTo(Math.round(x0) + 0.5, Math.round(y0) + 0.5);
      pen.lineTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
      pen.stroke();
    };
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const { y, text } of this.ticksUp(low, high)) {
      line(PLOT.left, yOf(y), right, yOf(y));
      pen.fillText(text, PLOT.left - 7, yOf(y), PLOT.left - 9); // condensed rather than cut
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const { begin, end } = this.recording;
    const across = ticksBetween(begin, end, Math.max(2, Math.floor((right - PLOT.left) / 85)));
    const decimals = decimalsFor(across.step);
    for (const t of across.ticks) {
      const x = this.xOf(t);
      line(x, bottom, x, bottom + 4);
      if (x < right - 30) pen.fillText(timeText(t, decimals), x, bottom + 7, 78);
    }
    pen.textAlign = "right";
    const { name, unit } = this.recording.variable;
    pen.fillText(unit ? `${name} [${unit}]` : name, width - 2, bottom + 7);

    pen.save();
    pen.beginPath();
    pen.rect(PLOT.left - 1, PLOT.top - 2, right - PLOT.left + 2, bottom - PLOT.top + 4);
    pen.clip();
    pen.lineWidth = 1.5;
    pen.lineJoin = "round";
    panel.curves.forEach((curve, i) => {
      const colour = paletteColour(theme, i);
      this.values[i].swatch.style.background = colour;
      if (this.hidden.has(i)) return;
      pen.strokeStyle = pen.fillStyle = colour;
      this.drawCurve(pen, curve.values, yOf);
    });
    pen.restore();
    this.row = -1;
    this.show();
  }

  /** A curve with its spikes: of the rows within one pixel the first, least, largest and last. What is too
   *  short to be seen as a line is a dot. */
  drawCurve(pen, values, yOf) {
    const { times } = this.panel;
    let open = false, first = 0, column = NaN, x = 0, low = 0, high = 0, last = 0, count = 0;
    const close = () => { // of a column
      if (count > 1) for (const y of [low, high, last]) pen.lineTo(x, y);
      count = 0;
      column = NaN;
    };
    const end = () => { // of a line
      if (!open) return;
      close();
      pen.stroke();
      if (x - first < 1) pen.fillRect(x - 1, last - 1, 2, 2);
      open = false;
    };
    for (let i = 0; i < times.length; ++i) {
      const number = this.drawn(values[i]);
      if (Number.isNaN(number)) {
        end();
        continue;
      }
      const here = this.xOf(times[i]), y = yOf(number);
      if (!open) {
        pen.beginPath();
        pen.moveTo(here, y);
        open = true;
        first = here;
      }
      const pixel = Math.floor(2 * here);
      if (pixel !== column) {
        close();
        pen.lineTo(here, y);
        column = pixel;
        x = here;
        low = high = y;
      }
      low = Math.min(low, y);
      high = Math.max(high, y);
      last = y;
      ++count;
    }
    end();
  }

  ticksUp(low, high) {
    if (!this.panel.logarithmic) {
      const { ticks, step } = ticksBetween(low, high, 4);
      const largest = Math.max(Math.abs(low), Math.abs(high)), short = largest >= 1e5 || largest < 1e-2;
      const digits = clamp(1 + Math.ceil(Math.log10(largest / step)), 1, 12), decimals = decimalsFor(step);
      return ticks.map((tick) => {
        const y = Math.abs(tick) < 1e-9 * step ? 0 : tick;
        return { y: tick, text: short ? numberText(y, digits) : signed(y.toFixed(decimals)) };
      });
    }
    const every = Math.max(1, Math.ceil((high - low) / 5)), ticks = [];
    for (let y = Math.ceil(low / every) * every; y <= high; y += every) ticks.push({ y, text: powerOfTen(y) });
    return ticks;
  }

  /** The cursor and the numbers of the row nearest to the present time. */
  show() {
    const { time } = this.player, { times, curves } = this.panel;
    this.cursor.style.transform = `translateX(${this.xOf(time)}px)`;
    if (!times.length) return;
    let row = lastNotAbove(times, time);
    if (row + 1 < times.length && times[row + 1] - time < time - times[row]) ++row;
    // Farther from the first or last row than that is from its neighbour there is no number.
    const last = times.length - 1, near = row === 0 ? times[Math.min(1, last)] - times[0] : times[last] - times[last - 1];
    if ((time < times[0] || time > times[last]) && Math.abs(time - times[row]) > near) row = -2;
    if (row === this.row) return;
    this.row = row;
    for (let i = 0; i < curves.length; ++i) this.values[i].value.textContent = numberText(row < 0 ? NaN : curves[i].values[row]);
  }
}
)page"
