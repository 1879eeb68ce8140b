import { formatCents, formatPieces } from '@parts-forge/contract/money/money';
import { formatNumber, papers } from '@parts-forge/contract/money/papers';
import { readDay } from '@parts-forge/contract/text/days';
import type { Buyer, InvoiceLine } from './schema.ts';
import { AREA, COLOURS, type Place, type Sheet, type TextStyle } from './sheet.ts';
import { findLine, type InvoiceRow } from './store.ts';
import { formatRate } from './tax.ts';

const label: TextStyle = { size: 8.25, colour: COLOURS.muted, leading: 12 };
const small: TextStyle = { size: 9, colour: COLOURS.muted, leading: 13.5 };
const strong: TextStyle = { face: 'strong' };

/** Right edges; `part` is a left edge. */
const columns = {
  part: AREA.left + 30,
  quantity: AREA.right - 160,
  price: AREA.right - 97,
  amount: AREA.right,
};
const RIGHT_HALF = AREA.left + (AREA.right - AREA.left) / 2 + 15;
/** Longer addresses are joined. */
const MAX_ADDRESS_LINES = 8;
/** Between head and title block. */
const BODY = { top: AREA.top + 84, bottom: AREA.bottom - 93 } as const;

/** Stays on one sheet. */
interface Block {
  /** Space above, unless first on its sheet. */
  gap: number;
  /** @returns its lower end */
  draw(sheet: Sheet, y: number): number;
}

/**
 * Adds sheets as needed.
 * @param sheet with an open first page
 * @param credited the invoice of a credit or debit note
 */
export function drawInvoice(sheet: Sheet, row: InvoiceRow, credited: InvoiceRow | null): void {
  drawHead(sheet, row);
  const pages = paginate(sheet, listBlocks(sheet, row, credited));
  for (const [index, placed] of pages.entries()) {
    if (index > 0) {
      sheet.addPage();
      drawHead(sheet, row);
    }
    for (const { block, y } of placed) block.draw(sheet, y);
    drawTitleBlock(sheet, row, `${index + 1} of ${pages.length}`);
  }
}

function listBlocks(sheet: Sheet, row: InvoiceRow, credited: InvoiceRow | null): Block[] {
  const [first, ...others] = row.lines.map((line, index): Block => {
    const whole = credited ? findLine(credited, row.orderId) : undefined;
    const note = describeLine(line, whole, row.lines.length > 1);
    return {
      gap: 0,
      // Each sheet repeats the heads.
      draw: (on, y) => drawLine(on, row, line, note, index + 1, y === BODY.top ? drawHeads(on, y) : y),
    };
  });
  const parties = chooseParties(sheet, row);
  return [
    { gap: 0, draw: (on, y) => drawParties(on, row, parties, y) },
    {
      gap: 36,
      draw: (on, y) => {
        const next = drawHeads(on, y);
        return first ? first.draw(on, next) : next;
      },
    },
    ...others,
    {
      gap: 6,
      draw: (on, y) => drawPayment(on, row, credited, drawSums(on, row, y) + 26),
    },
  ];
}

function paginate(sheet: Sheet, blocks: readonly Block[]): { block: Block; y: number }[][] {
  const pages: { block: Block; y: number }[][] = [[]];
  let next: number = BODY.top;
  for (const block of blocks) {
    const page = pages.at(-1) ?? [];
    let y = next + (page.length > 0 ? block.gap : 0);
    if (page.length > 0 && block.draw(sheet.measuring, y) > BODY.bottom) {
      y = BODY.top;
      pages.push([{ block, y }]);
    } else {
      page.push({ block, y });
    }
    next = block.draw(sheet.measuring, y);
  }
  return pages;
}

/** In points; smaller text is unreadable. */
const SMALLEST = 6;

/** Shrinks the text to one line, or wraps it at the smallest size. */
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
const formatMoney = (row: InvoiceRow, cents: number): string =>
  isCredit(row) ? `\u2212${formatCents(cents)}` : formatCents(cents);

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const formatDay = ({ timeZone }: InvoiceRow, at: Date): string =>
  dayFormat.format(new Date(readDay(at, timeZone)));

function drawHead(sheet: Sheet, row: InvoiceRow): void {
  sheet.logo(AREA.left, AREA.top, 24);
  const style: TextStyle = { face: 'display', size: 22.5, leading: 27 };
  const x = AREA.left + 33;
  const width = AREA.right - sheet.measuring.measure(papers[row.series].name, style) - 18 - x;
  drawName(sheet, { x, y: AREA.top, width }, 16.5, 24);
  sheet.text(papers[row.series].name, { x: AREA.right, y: AREA.top, align: 'right' }, style);
}

/** Shrinks a long name. */
function drawName(
  sheet: Sheet,
  { width, ...place }: Required<Omit<Place, 'align'>>,
  size: number,
  leading: number,
): void {
  const whole = sheet.measuring.measure(sheet.shopName, { face: 'display', size });
  const style: TextStyle = { face: 'display', size: Math.min(size, (size * width) / whole), leading };
  sheet.text(sheet.shopName, place, style);
}

interface PartiesStyle {
  /** By commas, wrapped. */
  isJoined: boolean;
  style: TextStyle;
}

const usual: PartiesStyle = { isJoined: false, style: { leading: 18 } };
/** For addresses that exceed the sheet. */
const closer: readonly PartiesStyle[] = [
  { isJoined: true, style: { leading: 18 } },
  { isJoined: true, style: { size: 8.25, leading: 11.5 } },
  { isJoined: true, style: { size: SMALLEST, leading: 8 } },
];

/** The first layout that fits. */
const chooseParties = (sheet: Sheet, row: InvoiceRow): PartiesStyle =>
  [usual, ...closer].find((style) => drawParties(sheet.measuring, row, style, BODY.top) <= BODY.bottom) ??
  usual;

function drawParties(
  sheet: Sheet,
  { buyer, seller }: InvoiceRow,
  { isJoined, style }: PartiesStyle,
  y: number,
): number {
  const join = (lines: readonly string[]) => (isJoined ? [lines.join(', ')] : lines);
  const { company = '', taxNumber = '' } = buyer;
  const to = [
    ...(company ? [buyer.name] : []),
    ...join(listAddress(splitAddress(buyer.address), buyer)),
    buyer.email,
    ...(taxNumber ? [`Tax number ${taxNumber}`] : []),
  ];
  const from = [
    ...join(listAddress(seller.address, seller)),
    ...(seller.email === null ? [] : [seller.email]),
    ...(seller.taxId === null ? [] : [`Tax number ${seller.taxId}`]),
  ];
  const draw = (heading: string, name: string, lines: readonly string[], x: number, right: number) => {
    const width = right - x;
    let next = sheet.text(heading, { x, y }, label) + 6;
    next = sheet.text(name, { x, y: next, width }, { ...strong, leading: 18 });
    for (const line of lines) {
      next = /\s/.test(line)
        ? sheet.text(line, { x, y: next, width }, style)
        : drawFitting(sheet, line, { x, y: next, width }, style);
    }
    return next;
  };
  return Math.max(
    draw('To', company || buyer.name, to, AREA.left, RIGHT_HALF - 18),
    draw('From', seller.name, from, RIGHT_HALF, AREA.right),
  );
}

/** An address often ends with the country already. */
const listAddress = (lines: readonly string[], { country }: Pick<Buyer, 'country'>) =>
  !country || lines.at(-1) === country.name ? lines : [...lines, country.name];

function splitAddress(address: string): string[] {
  const lines = address
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.length > MAX_ADDRESS_LINES ? [lines.join(', ')] : lines;
}

/** @returns the line below */
function drawHeads(sheet: Sheet, y: number): number {
  const heads = [
    ['Quantity', columns.quantity],
    ['Unit price', columns.price],
    ['Amount', columns.amount],
  ] as const;
  sheet.text('Pos.', { x: AREA.left, y }, label);
  sheet.text('Part', { x: columns.part, y }, label);
  for (const [head, x] of heads) sheet.text(head, { x, y, align: 'right' }, label);
  sheet.line([AREA.left, y + 18], [AREA.right, y + 18]);
  return y + 18;
}

/** @returns the line below */
function drawLine(
  sheet: Sheet,
  row: InvoiceRow,
  line: InvoiceLine,
  note: string,
  position: number,
  above: number,
): number {
  const y = above + 12;
  const leading = 15;
  sheet.text(String(position), { x: AREA.left, y }, { leading });
  const width = columns.quantity - 60 - columns.part;
  const afterName = sheet.text(line.name, { x: columns.part, y, width }, { ...strong, leading });
  const drawFigure = (text: string, x: number, style: TextStyle = {}) =>
    sheet.text(text, { x, y, align: 'right' }, { ...style, leading });
  if (line.quantity !== null) drawFigure(formatPieces(line.quantity), columns.quantity);
  if (line.priceCents !== null) {
    const price = formatCents(line.priceCents);
    drawFigure(price, columns.price, { size: fitPrice(sheet, price, line) });
  }
  drawFigure(formatMoney(row, line.amountCents), columns.amount, strong);
  const net = line.priceCents === null ? undefined : line.netPriceCents;
  const place = { x: columns.price, y: y + leading + 2, align: 'right' } as const;
  const afterNet = net === undefined ? 0 : sheet.text(`net ${formatCents(net)}`, place, small);
  const afterNote =
    note === '' ? afterName : sheet.text(note, { x: columns.part, y: afterName + 2, width }, small);
  const after = Math.max(afterNote, afterNet);
  sheet.line([AREA.left, after + 12], [AREA.right, after + 12], COLOURS.hairline);
  return after + 12;
}

/** Smaller where a price with six decimals would touch the quantity. Older papers stay as they are. */
function fitPrice(sheet: Sheet, price: string, { taxCents }: InvoiceLine): number {
  const room = columns.price - columns.quantity - 6;
  return taxCents === undefined ? 10.5 : Math.min(10.5, (10.5 * room) / sheet.measure(price));
}

/** @param whole of the invoice, for a note; @param isOneOfMany names its order */
function describeLine(line: InvoiceLine, whole: InvoiceLine | undefined, isOneOfMany: boolean): string {
  const { partNumber, fromQuantity, priceCents, amountCents, orderNumber } = line;
  const fullCents = (line.quantity ?? whole?.quantity ?? 0) * (whole?.priceCents ?? 0);
  const isPart = priceCents === null && amountCents < fullCents;
  const from = fromQuantity === null ? '' : `price from ${formatPieces(fromQuantity)} pieces`;
  const order = isOneOfMany ? `order ${orderNumber}` : '';
  return [partNumber ?? '', order, from, isPart ? 'a part of the price' : ''].filter(Boolean).join(', ');
}

function drawSums(sheet: Sheet, row: InvoiceRow, y: number): number {
  const total = formatMoney(row, row.totalCents);
  const drawRow = (name: string, value: string, top: number, [ofName, ofValue]: [TextStyle, TextStyle]) => {
    sheet.text(name, { x: RIGHT_HALF, y: top }, { leading: 15, ...ofName });
    sheet.text(value, { x: AREA.right, y: top, align: 'right' }, { leading: 15, ...ofValue });
  };
  const muted = { colour: COLOURS.muted };
  const large: TextStyle = { ...strong, size: 16.5, leading: 21 };
  const drawTotal = (top: number) => {
    drawRow('Total', total, top, [{ ...strong, leading: 25 }, large]);
    return top + 27;
  };
  const tax = describeTax(row);
  if (tax === null) return drawUntaxed(sheet, row, drawTotal(y + 6));
  drawRow('Net', formatMoney(row, row.totalCents - row.taxCents), y + 6, [muted, {}]);
  sheet.line([RIGHT_HALF, y + 27], [AREA.right, y + 27], COLOURS.hairline);
  drawRow(...tax, y + 33, [muted, row.tax === null ? muted : {}]);
  sheet.line([RIGHT_HALF, y + 54], [AREA.right, y + 54]);
  return drawTotal(y + 63);
}

/** Name and value; null for a shop without a rate, and for a customer without tax. */
function describeTax(row: InvoiceRow): [name: string, value: string] | null {
  if (row.tax === null) return ['Tax', 'not included'];
  const { category, name, rate } = row.tax;
  if (category !== 'standard' && category !== 'zero') return null;
  return [`${name} ${formatRate(rate)}`, formatMoney(row, row.taxCents)];
}

/** @returns the line below */
function drawUntaxed(sheet: Sheet, { tax }: InvoiceRow, y: number): number {
  if (tax?.category !== 'exempt' && tax?.category !== 'reverse') return y;
  const { category, text } = tax;
  const words =
    category === 'exempt' ? (text ?? 'Exempt from tax') : `Reverse charge${text === null ? '' : `: ${text}`}`;
  return sheet.text(words, { x: RIGHT_HALF, y: y + 6, width: AREA.right - RIGHT_HALF }, small);
}

/** How the order was paid, or a note's invoice. */
function drawPayment(sheet: Sheet, row: InvoiceRow, credited: InvoiceRow | null, y: number): number {
  sheet.line([AREA.left, y], [AREA.right, y], COLOURS.hairline);
  sheet.check(AREA.left, y + 13, 12);
  const balance = credited ? '' : `Balance ${formatCents(0)}`;
  const said = describePayment(row, credited);
  const top = y + 11.5;
  const x = AREA.left + 22;
  const after = x + sheet.measure(`${said} `);
  const width = AREA.right - after - sheet.measure(balance, strong) - 12;
  sheet.text(said, { x, y: top }, { leading: 15 });
  drawFitting(sheet, row.transactionId, { x: after, y: top, width }, strong);
  sheet.text(balance, { x: AREA.right, y: top, align: 'right' }, { ...strong, leading: 15 });
  sheet.line([AREA.left, y + 38], [AREA.right, y + 38], COLOURS.hairline);
  return y + 38;
}

function describePayment(row: InvoiceRow, credited: InvoiceRow | null): string {
  if (credited) {
    const what = describeCause(row);
    return `For invoice ${formatNumber(credited)}. ${what}. Transaction ID`;
  }
  const when = row.paidAt === null ? '' : ` on ${formatDay(row, row.paidAt)}`;
  return `Paid by card${when}. Transaction ID`;
}

function describeCause(row: InvoiceRow): string {
  if (row.lost) return isCredit(row) ? 'Lost in a dispute' : 'Won back in a dispute';
  return isCredit(row) ? 'Refunded to the card' : 'A refund came back';
}

/** @param which for example `1 of 2` */
function drawTitleBlock(sheet: Sheet, row: InvoiceRow, which: string): void {
  const { bottom: top } = BODY;
  const width = AREA.right - AREA.left;
  const [first, second, third] = [1.5, 2.5, 3.5].map((share) => AREA.left + (width * share) / 4.2);
  if (first === undefined || second === undefined || third === undefined) return;
  const middle = (top + AREA.bottom) / 2;
  const edges = [
    [AREA.left, top, AREA.right, top],
    [AREA.left, AREA.bottom, AREA.right, AREA.bottom],
    [first, middle, AREA.right, middle],
    ...[AREA.left, first, second, third, AREA.right].map((x) => [x, top, x, AREA.bottom] as const),
  ] as const;
  for (const [x1, y1, x2, y2] of edges) sheet.line([x1, y1], [x2, y2], COLOURS.muted);
  drawSeller(sheet, row, top, first - AREA.left - 18);
  const kind = papers[row.series].name;
  const cells = [
    [`${kind} number`, formatNumber(row), first, second, top],
    [row.lines.length > 1 ? 'Purchase' : 'Order', String(row.orderNumber), second, third, top],
    ['Sheet', which, third, AREA.right, top],
    [`Date of ${kind.toLowerCase()}`, formatDay(row, row.issuedAt), first, second, middle],
    ['Your reference', row.reference ?? '\u2013', second, third, middle],
    ['Currency', row.currency.toUpperCase(), third, AREA.right, middle],
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
  drawName(sheet, { x: x + 21, y: top + 42, width: width - 21 }, 11.25, 18);
  const y = top + 63;
  const address = seller.address.join(', ');
  const styles = [
    { ...small, size: 8.25, leading: 11.5 },
    { ...small, size: SMALLEST, leading: 7 },
  ];
  const fits = (text: string, style: TextStyle) =>
    sheet.measuring.text(text, { x, y, width }, style) <= AREA.bottom;
  for (const style of styles) {
    if (fits(address, style)) return void sheet.text(address, { x, y, width }, style);
  }
  // The full address is under "From".
  const words = address.split(' ');
  const smallest = styles.at(-1) ?? small;
  while (words.length > 0 && !fits(`${words.join(' ')} …`, smallest)) words.pop();
  sheet.text(`${words.join(' ')} …`.trim(), { x, y, width }, smallest);
}
