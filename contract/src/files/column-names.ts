import { shopCurrency } from '../money/currency.ts';

export type Meaning = 'number' | 'add' | 'price';
/** From 0; -1 if absent. */
export type Places = Record<Meaning, number>;

export interface Columns {
  places: Places;
  /** Names of the columns with each meaning. */
  named: Record<Meaning, readonly string[]>;
}

const numbersOf = (things: readonly string[]): string[] =>
  things.flatMap((thing) => [`${thing} number`, `${thing} no`, `${thing} nr`, `${thing} #`]);

/** Each name is folded by `foldName`. */
const meanings: Record<Meaning | 'weakNumber', readonly string[]> = {
  number: [
    'number',
    'sku',
    'pn',
    'p/n',
    'mpn',
    ...numbersOf(['part', 'article', 'product', 'manufacturer part', 'mfr part', 'mfg part', 'manf', 'mfr']),
    'partnumber',
    'partno',
    'artikelnummer',
    'artikelnr',
    'artikel nr',
    'art nr',
    'teilenummer',
    'materialnummer',
    'sachnummer',
    'hersteller nr',
    'herstellernummer',
    'bestell nr',
    'bestellnummer',
    'référence',
    'réf',
    'referencia',
    'referência',
    'codice articolo',
    'artikelnummer leverancier',
    'nr katalogowy',
    'artikul',
    'artikel no',
    'parça no',
    'ürün kodu',
    'артикул',
    '品番',
    'رقم القطعة',
  ],
  // In a parts list of a CAD program a position, the steel, the name or the number of a distributor; the
  // customer's own number.
  weakNumber: [
    ...numbersOf(['item', 'cat', 'own', 'our']),
    'own name',
    'material',
    'part',
    'article',
    'artikel',
    'artículo',
    'articolo',
    'codice',
  ],
  add: [
    'add',
    'to add',
    'qty',
    'quantity',
    'order qty',
    'order quantity',
    'pieces',
    'pcs',
    'menge',
    'anzahl',
    'stück',
    'stk',
    'quantité',
    'qté',
    'cantidad',
    'cant',
    'quantità',
    'q tà',
    'qtà',
    'quantidade',
    'qtd',
    'aantal',
    'antal',
    'ilość',
    'adet',
    'miktar',
    'количество',
    'кол во',
    '数量',
    'الكمية',
    ...['qty', 'quantity', 'pieces', 'pcs'].flatMap((count) => [`${count} to add`, `add ${count}`]),
  ],
  price: [
    'price',
    'unit price',
    'new price',
    'selling price',
    'preis',
    'einzelpreis',
    'stückpreis',
    'verkaufspreis',
  ],
};

/** Ignores case, marks between words, and the shop's currency at the end: `Price (USD)`. */
export function foldName(name: string): string {
  const folded = name
    .toLowerCase()
    .replaceAll('#', ' #')
    .replace(/[\s_.:-]+/g, ' ')
    .trim();
  const code = shopCurrency().code.toLowerCase();
  const end = [` (${code})`, ` ${code}`].find((each) => folded.endsWith(each)) ?? '';
  return folded.slice(0, folded.length - end.length);
}

/** Folding a million names, or letters, takes seconds. */
export const MAX_COLUMNS = 200;
const MAX_COLUMN_NAME = 100;

/** A weak name for the number counts only without a better one. */
export function columnsOf(all: readonly string[]): Columns {
  const names = all.slice(0, MAX_COLUMNS);
  const folded = names.map((name) => (name.length > MAX_COLUMN_NAME ? '' : foldName(name)));
  const find = (meaning: keyof typeof meanings) =>
    names.filter((_, place) => meanings[meaning].includes(folded[place] ?? ''));
  const strong = find('number');
  const named = {
    number: strong.length > 0 ? strong : find('weakNumber'),
    add: find('add'),
    price: find('price'),
  };
  const placeOf = (meaning: Meaning) => names.findIndex((name) => named[meaning].includes(name));
  return { named, places: { number: placeOf('number'), add: placeOf('add'), price: placeOf('price') } };
}

/** Counts the lines of a list, and is no part number. */
export const isPosition = (name: string): boolean =>
  ['pos', 'position', 'line', 'line no', 'index', '#'].includes(foldName(name));

/** Its quantities left the stock. */
export const isOrdersFile = (names: readonly string[]): boolean =>
  names.some((name) => foldName(name) === 'order id');
