import { COUNTRIES, nameCountry } from '@parts-forge/contract/text/countries';
import * as z from 'zod/mini';
import {
  emailAddress,
  matching,
  printable,
  type SettingsGroup,
  setTogether,
  setting,
  type Values,
} from './setting.ts';
import type { Shop } from './shop.ts';

/** ISO 3166-1 alpha-2, and its name, as names change. */
export interface Country {
  code: string;
  name: string;
}

export interface Seller {
  name: string;
  address: readonly string[];
  taxId: string | null;
  email: string | null;
  /** Absent on papers from before it was asked for. */
  country?: Country | null;
}

export interface TaxConfig {
  /** Hundredths of a percent, contained in every price. */
  rate: number;
  name: string;
  /** On papers of customers without tax. */
  exemptText: string | null;
}

const MAX_RATE = 50;

const rateMessage = `must be a percentage from 0 to ${MAX_RATE} with at most two decimals, such as 20 or 7.5.`;
const rate = z.pipe(
  matching(/^\d{1,2}(?:\.\d{1,2})?$/, rateMessage),
  z.pipe(
    z.transform((text: string) => Math.round(Number(text) * 100)),
    z.number().check(z.lte(MAX_RATE * 100, rateMessage)),
  ),
);

const settings = {
  SELLER_NAME: setting(
    "Seller's name on invoices, packing slips, mails and the footer of every page. An issued invoice keeps the name of that day. Set it together with `SELLER_ADDRESS` before you sell: by default it is `SHOP_NAME`, without an address.",
    z.optional(printable(80)),
  ),
  SELLER_ADDRESS: setting(
    "Seller's address, lines separated by commas. It is public, like the name (`GET /config`).",
    z.optional(printable(300)),
  ),
  SELLER_TAX_ID: setting(
    "Seller's tax number on invoices, such as `GB 123 4567 89`.",
    z.optional(printable(60)),
  ),
  SELLER_COUNTRY: setting(
    "Seller's country on invoices: two letters of ISO 3166-1, such as `GB`.",
    z.optional(
      z.string().check(z.refine((code) => COUNTRIES.includes(code), 'must be a country such as GB.')),
    ),
  ),
  SELLER_TAX_RATE: setting(
    'Tax that every price contains, in percent from 0 to 50 with at most two decimals. Counts for orders placed from now on; without it nothing speaks of tax.',
    z.optional(rate),
  ),
  SELLER_TAX_NAME: setting('Name of that tax on invoices.', z._default(printable(20), 'VAT')),
  SELLER_EXEMPT_TEXT: setting(
    'Sentence on invoices of customers that an administrator has marked as exempt, such as the law that exempts them.',
    z.optional(printable(200)),
  ),
  SELLER_EMAIL: setting(
    'Contact address on invoices, mails and pages (`GET /config`), for questions about an invoice or a forgotten password. Answers to mails go there; without it to `MAIL_FROM`.',
    z.optional(emailAddress),
  ),
};

const { SELLER_NAME, SELLER_ADDRESS } = settings;

export const invoices = {
  title: 'Invoices',
  settings,
  checks: [setTogether({ SELLER_NAME, SELLER_ADDRESS })],
} satisfies SettingsGroup;

export const readCountry = (code = ''): Country | null => (code ? { code, name: nameCountry(code) } : null);

export const readInvoices = (values: Values<typeof settings>, shop: Shop) => ({
  seller: readSeller(values, shop),
  /** Null without a rate: nothing speaks of tax. */
  tax: readTax(values),
  /** The settings name no seller; invoices have the shop's name and the demonstration's address, or none. */
  isDemoSeller: values.SELLER_NAME === undefined,
});

function readSeller(values: Values<typeof settings>, shop: Shop): Seller {
  const { SELLER_NAME: name = shop.name, SELLER_ADDRESS: address } = values;
  const lines = address?.split(',').map((line) => line.trim());
  return {
    name,
    address: lines?.filter(Boolean) ?? shop.address,
    taxId: values.SELLER_TAX_ID ?? null,
    email: values.SELLER_EMAIL ?? null,
    country: readCountry(values.SELLER_COUNTRY),
  };
}

function readTax(values: Values<typeof settings>): TaxConfig | null {
  const { SELLER_TAX_RATE: rate, SELLER_TAX_NAME: name, SELLER_EXEMPT_TEXT: exemptText = null } = values;
  return rate === undefined ? null : { rate, name, exemptText };
}
