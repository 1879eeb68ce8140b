import { emailPattern } from '@parts-forge/contract/text';
import * as z from 'zod/mini';
import { matching, type SettingsGroup, setTogether, setting, type Values } from './setting.ts';

export interface Seller {
  name: string;
  address: readonly string[];
  taxId: string | null;
  email: string | null;
}

export interface InvoicesConfig {
  seller: Seller;
  /** Invoices show the demonstration's address. */
  isDemoSeller: boolean;
}

const MAX_SELLER_NAME = 80;
const MAX_SELLER_ADDRESS = 300;
const MAX_TAX_ID = 60;

const demo = { name: 'Parts Forge', address: '48 Foundry Lane, Sheffield S3 8GG, United Kingdom' };

const printable = (max: number) =>
  matching(
    new RegExp(`^\\P{Cc}{1,${max}}$`, 'u'),
    `must be 1 to ${max} characters without control characters.`,
  );

const settings = {
  SELLER_NAME: setting(
    "Seller's name on invoices, packing slips, mails and the footer of every page. An issued invoice keeps the name of that day. Set it together with `SELLER_ADDRESS` before you sell: the default names the demonstration.",
    z.optional(printable(MAX_SELLER_NAME)),
  ),
  SELLER_ADDRESS: setting(
    "Seller's address, lines separated by commas. It is public, like the name (`GET /config`).",
    z.optional(printable(MAX_SELLER_ADDRESS)),
  ),
  SELLER_TAX_ID: setting(
    "Seller's tax number on invoices, such as `GB 123 4567 89`.",
    z.optional(printable(MAX_TAX_ID)),
  ),
  SELLER_EMAIL: setting(
    'Contact address on invoices, mails and pages (`GET /config`), for questions about an invoice or a forgotten password. Answers to mails go there; without it to `MAIL_FROM`.',
    z.optional(matching(emailPattern, 'must be an email address.')),
  ),
};

const { SELLER_NAME, SELLER_ADDRESS } = settings;

export const invoices = {
  title: 'Invoices',
  settings,
  checks: [setTogether({ SELLER_NAME, SELLER_ADDRESS })],
} satisfies SettingsGroup;

export function readInvoices(values: Values<typeof settings>): InvoicesConfig {
  const { SELLER_NAME: name = demo.name, SELLER_ADDRESS: address = demo.address } = values;
  return {
    seller: {
      name,
      address: address
        .split(',')
        .map((line) => line.trim())
        .filter(Boolean),
      taxId: values.SELLER_TAX_ID ?? null,
      email: values.SELLER_EMAIL ?? null,
    },
    isDemoSeller: values.SELLER_NAME === undefined,
  };
}
