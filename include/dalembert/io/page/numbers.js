R"page(
// ---- Numbers as text. ----

const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const powerOfTen = (exponent) => "10" + [...String(exponent)].map((c) => RAISED[c]).join("");
const signed = (text) => text.replace("-", "−");

/** With so many digits, and a power of ten where that is shorter. */
function numberText(x, digits = 4) {
  if (Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  if (x === 0) return "0";
  const exponent = Math.floor(Math.log10(Math.abs(x)));
  if (exponent >= -3 && exponent < 6) return signed(String(Number(x.toPrecision(Math.max(digits, exponent + 1)))));
  const [mantissa, power] = x.toExponential(digits - 1).split("e");
  const shorter = String(Number(mantissa));
  return (shorter === "1" ? "" : signed(shorter) + "·") + powerOfTen(Number(power));
}

const unitText = (unit) => (unit && unit !== "1" ? ` ${unit}` : "");

/** How many decimals tell a step apart. */
const decimalsFor = (step) => clamp(-Math.floor(Math.log10(step) + 1e-9), 0, 12);

/** A time with so many decimals, or shorter where they would not tell. */
const timeText = (t, decimals) => (decimals < 12 ? signed(t.toFixed(decimals)) : numberText(t, 5));

/** Round numbers within low … high, about so many. */
function ticksBetween(low, high, about) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return { ticks: [low], step: 1 };
  let step = roundNumber(span / about);
  while (span / step > 1.6 * about) step *= Math.round(step / 10 ** Math.floor(Math.log10(step) + 1e-9)) === 2 ? 2.5 : 2;
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step && ticks.length < 100; ++i) ticks.push(i * step);
  return { ticks, step };
}
)page"
