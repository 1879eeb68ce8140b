/** Both colours are written as `#rrggbb`. */
export interface Accent {
  /** On white and light grey, and below white text. */
  light: string;
  /** On the dark pages, and below dark text. */
  dark: string;
}

/** WCAG 2.2, success criterion 1.4.3. */
const LEAST_CONTRAST = 4.5;
/** From web/app/theme.css: the darkest ground of the light theme, the lightest of the dark one. */
const GROUNDS = { light: '#f3f5f7', dark: '#1f2329' } as const;

/** The dark theme mixes the colour with white, in steps of one percent, until its contrast suffices. */
export function deriveAccent(colour: string): Accent {
  let dark = colour;
  for (let white = 1; measureContrast(dark, GROUNDS.dark) < LEAST_CONTRAST; white += 1) {
    const mixed = readChannels(colour).map((value) => Math.round(value + ((255 - value) * white) / 100));
    dark = `#${Buffer.from(mixed).toString('hex')}`;
  }
  return { light: colour, dark };
}

/** @returns continues after the setting's name; null when the light theme can use the colour */
export function findAccentMistake(colour: string): string | null {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return 'must be a colour such as #0b5fff.';
  const contrast = measureContrast(colour, GROUNDS.light);
  if (contrast >= LEAST_CONTRAST) return null;
  // Rounded down: 4.496 is not 4.50.
  const measured = (Math.floor(contrast * 100) / 100).toFixed(2);
  return `${colour} has a contrast of ${measured} with the light pages and needs ${LEAST_CONTRAST}: choose a darker colour.`;
}

/** From 1 to 21. */
export function measureContrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [one, other].map(readLuminance).sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG's relative luminance. */
function readLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = readChannels(colour)
    .map((value) => value / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const readChannels = (colour: string): number[] => [...Buffer.from(colour.slice(1), 'hex')];
