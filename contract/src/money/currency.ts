/**
 * The shop's one currency. A process has one for its life, so a value of the process is less than a parameter of
 * every function that formats, reads or checks an amount. Amounts inside are whole numbers of the smallest unit that
 * the card provider counts, which names call cents: in a shop in yen a cent is a yen.
 */

export const DEFAULT_CURRENCY = 'USD';

/** The card provider's list. `Intl` and ISO 4217 differ: the provider counts forints in hundredths. */
const WITHOUT_CENTS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');

/** As many decimals as the card provider counts. */
export const countDecimals = (code: string): number => (WITHOUT_CENTS.includes(code) ? 0 : 2);

interface Currency {
  /** The code of ISO 4217, in capitals. */
  code: string;
  symbol: string;
  decimals: number;
  centsInUnit: number;
  money: Intl.NumberFormat;
  /** Finds code and symbol around a number. */
  marks: RegExp;
}

/** In the fonts of pages and papers; another currency is shown by its code. */
const printedSymbol = /^[!-ÿ€]+$/;

function describe(code: string): Currency {
  const decimals = countDecimals(code);
  const show = (currencyDisplay: 'symbol' | 'code') => {
    const money = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: code,
      currencyDisplay,
      minimumFractionDigits: decimals,
      // A piece without tax may cost a fraction of a cent.
      maximumFractionDigits: 6,
    });
    const symbol = money.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? code;
    return { money, symbol };
  };
  const usual = show('symbol');
  const { money, symbol } = printedSymbol.test(usual.symbol) ? usual : show('code');
  const mark = `(?:${code}|${symbol.replaceAll('$', '\\$')})`;
  const marks = new RegExp(`^${mark}\\s*|\\s*${mark}$`, 'gi');
  return { code, symbol, decimals, centsInUnit: 10 ** decimals, money, marks };
}

const standard = describe(DEFAULT_CURRENCY);

/** The server's pages are a bundle with a copy of this module, so the modules share a global value. */
const shared: typeof globalThis & { shopCurrency?: { currency: Currency; holders: number } | undefined } =
  globalThis;

export const shopCurrency = (): Currency => shared.shopCurrency?.currency ?? standard;

/**
 * Call it before anything formats, reads or checks an amount.
 * @returns releases the currency
 * @throws Error while the process holds another one
 */
export function holdCurrency(code: string): () => void {
  const held = shared.shopCurrency ?? { currency: describe(code), holders: 0 };
  const { code: current } = held.currency;
  if (current !== code)
    throw new Error(`This process has the currency ${current}, so ${code} cannot be set.`);
  held.holders += 1;
  shared.shopCurrency = held;
  return () => {
    held.holders -= 1;
    if (held.holders === 0) shared.shopCurrency = undefined;
  };
}
