type Meaning = 'number' | 'add' | 'price';
/** From 0; -1 if absent. */
export type Places = Record<Meaning, number>;

/** Folded names (`fold`). */
const meanings: Record<Meaning, readonly string[]> = {
  number: [
    'number',
    'sku',
    'pn',
    'p/n',
    ...['part', 'article', 'item', 'product'].flatMap((thing) => [
      `${thing} number`,
      `${thing} no`,
      `${thing} nr`,
      `${thing} #`,
    ]),
    'partnumber',
    'partno',
    'artikelnummer',
    'artikelnr',
    'artikel nr',
    'art nr',
    'teilenummer',
    'materialnummer',
    'material',
  ],
  add: [
    'add',
    'to add',
    'qty',
    'quantity',
    'pieces',
    'pcs',
    'menge',
    'anzahl',
    'stück',
    'stk',
    ...['qty', 'quantity', 'pieces', 'pcs'].flatMap((count) => [`${count} to add`, `add ${count}`]),
  ],
  price: [
    'price',
    'unit price',
    'new price',
    'selling price',
    'price (usd)',
    'unit price (usd)',
    'price usd',
  ],
};
const meaningOf = new Map(
  Object.entries(meanings).flatMap(([meaning, names]) => names.map((name) => [name, meaning as Meaning])),
);

/** The shop's own exports, whose other columns need no warning. */
const ownFiles = [
  ['number', 'add', 'price', 'name', 'stock now', 'price now', 'reason'],
  [
    'part number',
    'part',
    'kind',
    'stock',
    'minimum order',
    'order step',
    'unit price (usd)',
    'changed at',
    'part id',
  ],
];

const fold = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[\s_.:-]+/g, ' ')
    .trim();

/** `twins`: the first two columns with the same meaning. */
export function columnsOf(names: readonly string[]): { places: Places; twins: string[] | null } {
  const places: Places = { number: -1, add: -1, price: -1 };
  let twins: string[] | null = null;
  for (const [index, name] of names.entries()) {
    const meaning = meaningOf.get(fold(name));
    if (!meaning) continue;
    const other = names[places[meaning]];
    if (other === undefined) places[meaning] = index;
    else twins ??= [other, name];
  }
  return { places, twins };
}

/** Its quantities left the stock. */
export const isOrdersFile = (names: readonly string[]): boolean =>
  names.some((name) => fold(name) === 'order id');

/** Columns without a meaning; none for the shop's own exports. */
export function listUnused(names: readonly string[]): string[] {
  const given = names.filter((name) => name !== '');
  if (ownFiles.some((own) => given.every((name) => own.includes(fold(name))))) return [];
  return given.filter((name) => !meaningOf.has(fold(name)));
}
