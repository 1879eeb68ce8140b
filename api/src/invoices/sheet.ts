import type PDFDocument from 'pdfkit';
import type { Shop } from '#src/platform/core/config/shop.ts';
import type { Face, Fonts } from './fonts.ts';

/** From web/app/theme.css, the light theme. */
export const COLOURS = { ink: '#161b21', muted: '#5a6067', hairline: '#dce0e4', accent: '#c96730' } as const;

/** A4 with margins of 15 mm, in points of 1/72 inch. */
const MM = 72 / 25.4;
const MARGIN = 15 * MM;
export const PAGE = { width: 210 * MM, height: 297 * MM } as const;
export const AREA = {
  left: MARGIN,
  top: MARGIN,
  right: PAGE.width - MARGIN,
  bottom: PAGE.height - MARGIN,
} as const;

export interface TextStyle {
  face?: Face;
  /** In points. */
  size?: number;
  colour?: string;
  /** Between baselines, in points. */
  leading?: number;
}

/** `x` is the left edge, or with `align: 'right'` the right edge. */
export interface Place {
  x: number;
  y: number;
  /** Without a width the text stays on one line. */
  width?: number;
  align?: 'left' | 'right';
}

/** Lengths are points from the top left corner. */
export interface Sheet {
  readonly shopName: string;
  /** @returns where the next line begins */
  text(text: string, place: Place, style?: TextStyle): number;
  /** On one line. */
  measure(text: string, style?: TextStyle): number;
  line(from: [x: number, y: number], to: [x: number, y: number], colour?: string): void;
  /** @param size of the enclosing square */
  logo(x: number, y: number, size: number): void;
  check(x: number, y: number, size: number): void;
  addPage(): void;
  /** Draws nothing; only measures. */
  readonly measuring: Sheet;
}

type Document = typeof PDFDocument.prototype;

/** @param logo a PNG without transparency, in place of the drawn mark */
export function openSheet(
  document: Document,
  { makePrintable, canDisplay }: Fonts,
  { name: shopName, accent }: Shop,
  logo: Buffer | null,
): Sheet {
  const chooseFace = (text: string, { face = 'text', size = 10.5 }: TextStyle) =>
    document.font(face === 'display' && !canDisplay(text) ? 'strong' : face).fontSize(size);
  const choose = (text: string, style: TextStyle) =>
    chooseFace(text, style).fillColor(style.colour ?? COLOURS.ink);
  // Tabular figures align in columns.
  const features: PDFKit.Mixins.OpenTypeFeatures[] = ['tnum'];
  const write = (
    given: string,
    { x, y, width, align = 'left' }: Place,
    style: TextStyle,
    isDrawn: boolean,
  ): number => {
    if (given === '') return y;
    const text = makePrintable(given);
    const lineHeight = (isDrawn ? choose : chooseFace)(text, style).currentLineHeight();
    const leading = style.leading ?? lineHeight;
    const options = {
      features,
      lineGap: leading - lineHeight,
      ...(width === undefined && { lineBreak: false }),
    };
    const left = align === 'left' ? x : x - (width ?? document.widthOfString(text, options));
    const top = y + (leading - lineHeight) / 2;
    if (isDrawn) document.text(text, left, top, { ...options, align, ...(width !== undefined && { width }) });
    if (width === undefined) return y + leading;
    return y + document.heightOfString(text, { ...options, width });
  };
  const measure = (chooseBy: typeof chooseFace, given: string, style: TextStyle) => {
    const text = makePrintable(given);
    return chooseBy(text, style).widthOfString(text, { features });
  };
  const nothing = () => {};
  const measuring: Sheet = {
    shopName,
    text: (text, place, style = {}) => write(text, place, style, false),
    measure: (text, style = {}) => measure(chooseFace, text, style),
    line: nothing,
    logo: nothing,
    check: nothing,
    addPage: nothing,
    get measuring() {
      return measuring;
    },
  };
  return {
    shopName,
    measuring,
    text: (text, place, style = {}) => write(text, place, style, true),
    measure: (text, style = {}) => measure(choose, text, style),
    addPage: () => {
      document.addPage();
    },
    line(from, to, colour = COLOURS.ink) {
      document
        .moveTo(...from)
        .lineTo(...to)
        .lineWidth(0.75)
        .strokeColor(colour)
        .stroke();
    },
    logo(x, y, size) {
      if (logo) document.image(logo, x, y, { width: size, height: size });
      else drawLogo(document, x, y, size, accent?.light ?? COLOURS.accent);
    },
    check: (x, y, size) => drawCheck(document, x, y, size),
  };
}

function drawLogo(document: Document, x: number, y: number, size: number, accent: string): void {
  document
    .save()
    .translate(x, y)
    .scale(size / 28)
    .lineWidth(1.6)
    .lineJoin('round');
  document.path('M3 10.2 8.4 6.4v12.2L3 22.4Z').fillAndStroke(COLOURS.ink, COLOURS.ink);
  document.path('M11 10.2 16.4 6.4v12.2L11 22.4Z').strokeColor(COLOURS.ink).stroke();
  document.path('M19 10.2 24.4 6.4v12.2L19 22.4Z').fillAndStroke(accent, accent);
  document.restore();
}

function drawCheck(document: Document, x: number, y: number, size: number): void {
  document
    .save()
    .translate(x, y)
    .scale(size / 24)
    .lineWidth(1.75)
    .lineJoin('round')
    .lineCap('round');
  document.path('M20 6 9 17l-5-5').strokeColor(COLOURS.ink).stroke();
  document.restore();
}
