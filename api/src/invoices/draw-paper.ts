import { formatCents, formatPieces } from '@parts-forge/contract/money';
import type { InvoiceLine } from './schema.ts';
import { AREA, COLOURS, type Place, type Sheet, type TextStyle } from './sheet.ts';
import { formatNumber, type InvoiceRow } from './store.ts';

const label: TextStyle = { size: 8.25, colour: COLOURS.muted, leading: 12 };
const small: TextStyle = { size: 9, colour: COLOURS.muted, leading: 13.5 };
const strong: TextStyle = { face: 'strong' };

/** Where the columns of the lines end, from the left margin's end on. */
const columns = {
  part: AREA.left + 30,
  quantity: AREA.right - 160,
  price: AREA.right - 97,
  amount: AREA.right,
};
/** The right half: the seller and the sums. */
const RIGHT_HALF = AREA.left + (AREA.right - AREA.left) / 2 + 15;
/** An address of more lines is written on fewer, so that a paper is always one page. */
const MAX_ADDRESS_LINES = 8;

/** Draws an invoice or a credit note, which has the one page. @param invoice the one that a credit note takes back */
export function drawPaper(sheet: Sheet, paper: InvoiceRow, invoice: InvoiceRow | null): void {
  drawHead(sheet, paper);
  const afterParties = drawParties(sheet, paper, AREA.top + 84);
  const afterLines = drawLines(sheet, paper, afterParties + 36);
  const afterSums = drawSums(sheet, paper, afterLines + 6);
  drawPayment(sheet, paper, invoice, afterSums + 26);
  drawTitleBlock(sheet, paper);
}

/** In points: what can still be read. */
const SMALLEST = 6;

/** A text on one line, smaller where it is wider than its place; where that would be too small it goes on below. */
function drawFitting(
  sheet: Sheet,
  text: string,
  place: Required<Omit<Place, 'align'>>,
  style: TextStyle,
): number {
  const { size = 10.5, leading = 15 } = style;
  const fitting = Math.min(size, (size * place.width) / sheet.measure(text, style));
  if (fitting >= SMALLEST)
    return sheet.text(text, { x: place.x, y: place.y }, { ...style, size: fitting, leading });
  return sheet.text(text, place, { ...style, size: SMALLEST, leading: 8 });
}

const isCredit = ({ series }: InvoiceRow): boolean => series === 'credit-note';
const formatMoney = (paper: InvoiceRow, cents: number): string =>
  isCredit(paper) ? `\u2212${formatCents(cents)}` : formatCents(cents);

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

function drawHead(sheet: Sheet, paper: InvoiceRow): void {
  const title = isCredit(paper) ? 'Credit note' : 'Invoice';
  sheet.logo(AREA.left, AREA.top, 24);
  sheet.text('Parts Forge', { x: AREA.left + 33, y: AREA.top }, { face: 'display', size: 16.5, leading: 24 });
  const style: TextStyle = { face: 'display', size: 22.5, leading: 27 };
  sheet.text(title, { x: AREA.right, y: AREA.top, align: 'right' }, style);
}

function drawParties(sheet: Sheet, { buyer, seller }: InvoiceRow, y: number): number {
  const to = [...splitAddress(buyer.address), buyer.email];
  const from = [
    ...seller.address,
    ...(seller.email === null ? [] : [seller.email]),
    ...(seller.taxId === null ? [] : [`Tax number ${seller.taxId}`]),
  ];
  const draw = (heading: string, name: string, lines: readonly string[], x: number, right: number) => {
    const width = right - x;
    let next = sheet.text(heading, { x, y }, label) + 6;
    next = sheet.text(name, { x, y: next, width }, { ...strong, leading: 18 });
    for (const line of lines) {
      next = /\s/.test(line)
        ? sheet.text(line, { x, y: next, width }, { leading: 18 })
        : drawFitting(sheet, line, { x, y: next, width }, { leading: 18 });
    }
    return next;
  };
  return Math.max(
    draw('To', buyer.name, to, AREA.left, RIGHT_HALF - 18),
    draw('From', seller.name, from, RIGHT_HALF, AREA.right),
  );
}

function splitAddress(address: string): string[] {
  const lines = address
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.length > MAX_ADDRESS_LINES ? [lines.join(', ')] : lines;
}

function drawLines(sheet: Sheet, paper: InvoiceRow, y: number): number {
  const heads = [
    ['Quantity', columns.quantity],
    ['Unit price', columns.price],
    ['Amount', columns.amount],
  ] as const;
  sheet.text('Pos.', { x: AREA.left, y }, label);
  sheet.text('Part', { x: columns.part, y }, label);
  for (const [head, x] of heads) sheet.text(head, { x, y, align: 'right' }, label);
  let next = y + 18;
  sheet.line([AREA.left, next], [AREA.right, next]);
  for (const [index, line] of paper.lines.entries()) {
    next = drawLine(sheet, paper, line, index + 1, next + 12) + 12;
    sheet.line([AREA.left, next], [AREA.right, next], COLOURS.hairline);
  }
  return next;
}

function drawLine(sheet: Sheet, paper: InvoiceRow, line: InvoiceLine, position: number, y: number): number {
  const leading = 15;
  sheet.text(String(position), { x: AREA.left, y }, { leading });
  const width = columns.quantity - 60 - columns.part;
  const afterName = sheet.text(line.name, { x: columns.part, y, width }, { ...strong, leading });
  const drawFigure = (text: string, x: number, style: TextStyle = {}) =>
    sheet.text(text, { x, y, align: 'right' }, { ...style, leading });
  if (line.quantity !== null) drawFigure(formatPieces(line.quantity), columns.quantity);
  if (line.priceCents !== null) drawFigure(formatCents(line.priceCents), columns.price);
  drawFigure(formatMoney(paper, line.amountCents), columns.amount, strong);
  const note = describeLine(line);
  return note === '' ? afterName : sheet.text(note, { x: columns.part, y: afterName + 2, width }, small);
}

function describeLine({ partNumber, fromQuantity, quantity }: InvoiceLine): string {
  const from = fromQuantity === null ? '' : `price from ${formatPieces(fromQuantity)} pieces`;
  return [partNumber ?? '', from, quantity === null ? 'a part of the price' : ''].filter(Boolean).join(', ');
}

function drawSums(sheet: Sheet, paper: InvoiceRow, y: number): number {
  const total = formatMoney(paper, paper.totalCents);
  const drawRow = (name: string, value: string, top: number, [ofName, ofValue]: [TextStyle, TextStyle]) => {
    sheet.text(name, { x: RIGHT_HALF, y: top }, { leading: 15, ...ofName });
    sheet.text(value, { x: AREA.right, y: top, align: 'right' }, { leading: 15, ...ofValue });
  };
  const muted = { colour: COLOURS.muted };
  drawRow('Net', total, y + 6, [muted, {}]);
  sheet.line([RIGHT_HALF, y + 27], [AREA.right, y + 27], COLOURS.hairline);
  drawRow('Tax', 'not included', y + 33, [muted, muted]);
  sheet.line([RIGHT_HALF, y + 54], [AREA.right, y + 54]);
  const large: TextStyle = { ...strong, size: 16.5, leading: 21 };
  drawRow('Total', total, y + 63, [{ ...strong, leading: 25 }, large]);
  return y + 90;
}

/** How it was paid for, or to which invoice the money belongs that went back. */
function drawPayment(sheet: Sheet, paper: InvoiceRow, invoice: InvoiceRow | null, y: number): void {
  sheet.line([AREA.left, y], [AREA.right, y], COLOURS.hairline);
  sheet.check(AREA.left, y + 13, 12);
  const balance = isCredit(paper) ? '' : 'Balance $0.00';
  const said = describePayment(paper, invoice);
  const top = y + 11.5;
  const x = AREA.left + 22;
  const after = x + sheet.measure(`${said} `);
  const width = AREA.right - after - sheet.measure(balance, strong) - 12;
  sheet.text(said, { x, y: top }, { leading: 15 });
  drawFitting(sheet, paper.transactionId, { x: after, y: top, width }, strong);
  sheet.text(balance, { x: AREA.right, y: top, align: 'right' }, { ...strong, leading: 15 });
  sheet.line([AREA.left, y + 38], [AREA.right, y + 38], COLOURS.hairline);
}

function describePayment(paper: InvoiceRow, invoice: InvoiceRow | null): string {
  if (invoice) return `For invoice ${formatNumber(invoice)}. Given back to the card. Transaction ID`;
  const when = paper.paidAt === null ? '' : ` on ${day.format(paper.paidAt)}`;
  return `Paid by card${when}. Transaction ID`;
}

function drawTitleBlock(sheet: Sheet, paper: InvoiceRow): void {
  const height = 93;
  const top = AREA.bottom - height;
  const width = AREA.right - AREA.left;
  const [first, second, third] = [1.5, 2.5, 3.5].map((share) => AREA.left + (width * share) / 4.2);
  if (first === undefined || second === undefined || third === undefined) return;
  const middle = top + height / 2;
  const edges = [
    [AREA.left, top, AREA.right, top],
    [AREA.left, AREA.bottom, AREA.right, AREA.bottom],
    [first, middle, AREA.right, middle],
    ...[AREA.left, first, second, third, AREA.right].map((x) => [x, top, x, AREA.bottom] as const),
  ] as const;
  for (const [x1, y1, x2, y2] of edges) sheet.line([x1, y1], [x2, y2], COLOURS.muted);
  drawSeller(sheet, paper, top, first - AREA.left - 18);
  const kind = isCredit(paper) ? 'Credit note' : 'Invoice';
  const cells = [
    [`${kind} number`, formatNumber(paper), first, second, top],
    ['Order', String(paper.orderNumber), second, third, top],
    ['Sheet', '1 of 1', third, AREA.right, top],
    [`Date of ${kind.toLowerCase()}`, day.format(paper.issuedAt), first, second, middle],
    ['Your reference', paper.reference ?? '\u2013', second, third, middle],
    ['Currency', paper.currency.toUpperCase(), third, AREA.right, middle],
  ] as const;
  for (const [name, value, x, right, y] of cells) {
    sheet.text(name, { x: x + 9, y: y + 6 }, label);
    drawFitting(sheet, value, { x: x + 9, y: y + 18, width: right - x - 12 }, strong);
  }
}

function drawSeller(sheet: Sheet, { seller }: InvoiceRow, top: number, width: number): void {
  const x = AREA.left + 11;
  sheet.text('Seller', { x, y: top + 6 }, label);
  sheet.logo(x, top + 44, 15);
  sheet.text('Parts Forge', { x: x + 21, y: top + 42 }, { face: 'display', size: 11.25, leading: 18 });
  sheet.text(seller.address.join(', '), { x, y: top + 63, width }, { ...small, size: 8.25, leading: 11.5 });
}
