import * as z from 'zod/mini';

/** The card provider's (docs.stripe.com/currencies), without those that `refuse` names. */
const CURRENCIES =
  `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC
  CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD JPY KES KGS
  KHR KMF KRW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD
  PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TOP TRY TTD TWD
  TZS UAH USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW`.split(/\s+/);

function refuse(code: string): string {
  if (['BHD', 'JOD', 'KWD', 'OMR', 'TND'].includes(code)) {
    return `must be a currency with two decimals or none: ${code} has three.`;
  }
  if (['ISK', 'UGX'].includes(code)) {
    return `must be another currency: the card provider counts ${code} in hundredths, which it does not have.`;
  }
  return 'must be a currency that the card provider takes, in capitals, such as EUR.';
}

export const currencyCode = z
  .string()
  .check(z.refine((code) => CURRENCIES.includes(code), { error: ({ input }) => refuse(String(input)) }));

const euroCountries =
  'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA YT';

/**
 * ISO 4217 begins a country's own currency with the letters of the country.
 * @returns null for an unknown one
 */
export const findCurrency = (country: string): string | null =>
  euroCountries.split(' ').includes(country)
    ? 'EUR'
    : (CURRENCIES.find((code) => code.startsWith(country)) ?? null);
