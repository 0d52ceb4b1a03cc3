R"page(
// ---- Colours. ----
// Okabe and Ito's, which people tell apart however they see colours; darker or lighter where white or black asks for it.

const PALETTES = {
  light: ["#0072b2", "#e08a00", "#009e73", "#d5451b", "#7b828c", "#3d9fdb", "#c9b400", "#b85c93"],
  dark: ["#3f9fe0", "#f0a830", "#22c495", "#f2683c", "#9aa3ae", "#7cc8f5", "#f2e45a", "#dd8fb8"],
};
const SCENERY = {
  light: { background: "#fbfcfd", plane: "#dde3ea", line: "#8b97a5", sky: 0.52, ground: 0.2, sun: 0.62, shadow: 0.7, cue: 0.22 },
  dark: { background: "#14181d", plane: "#262d36", line: "#5d6a79", sky: 0.4, ground: 0.12, sun: 0.72, shadow: 0.8, cue: 0.34 },
};

/** Red, green and blue as light, not as the screen's numbers. */
function linearColour(hex) {
  const number = parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255].map((byte) => (byte / 255) ** 2.2);
}

const paletteNumber = (number) => (((number ?? 4) % 8) + 8) % 8;
const paletteColour = (theme, number) => PALETTES[theme][paletteNumber(number)];
)page"
