import { toAmount, writeAmount } from '@parts-forge/contract/money/money';
import { type EInvoiceFact, formatNumber } from '@parts-forge/contract/money/papers';
import { COUNTRIES } from '@parts-forge/contract/text/countries';
import { readDay } from '@parts-forge/contract/text/days';
import type { Country, Seller } from '#src/platform/core/config/invoices.ts';
import type { Buyer, InvoiceLine } from './schema.ts';
import type { InvoiceRow } from './store.ts';
import type { TaxCategory } from './tax.ts';

/** Those of the shop's settings that are not set, so that no paper is an e-invoice. */
export const findMissingSettings = ({ country, taxId }: Seller, hasTax: boolean): EInvoiceFact[] => [
  ...(country ? [] : ["the seller's country" as const]),
  ...(taxId === null ? ["the seller's tax number" as const] : []),
  ...(hasTax ? [] : ['a tax rate' as const]),
];

type KnownPaper = InvoiceRow & {
  seller: Seller & { country: Country; taxId: string };
  buyer: Buyer & { country: Country };
  tax: { category: TaxCategory };
};

/** False for papers from before lines had their tax, which stay as they are, to the byte. */
export function isEInvoice(row: InvoiceRow): row is KnownPaper {
  const { seller, buyer, tax, lines } = row;
  const isKnown = findMissingSettings(seller, tax?.category != null).length === 0 && Boolean(buyer.country);
  return isKnown && lines.every(({ taxCents }) => taxCents !== undefined) && hasTaxOfRate(row);
}

/** The norm allows a difference of one unit. Money beyond the invoice, which a dispute may take, has no tax. */
function hasTaxOfRate({ tax, totalCents, taxCents }: InvoiceRow): boolean {
  const unitsOff = toAmount(taxCents - ((totalCents - taxCents) * (tax?.rate ?? 0)) / 10_000);
  return Math.abs(unitsOff) <= 1;
}

/** Codes of UNTDID 5305, which the norm takes for categories of tax. */
const categories: Record<TaxCategory, string> = { standard: 'S', zero: 'Z', exempt: 'E', reverse: 'AE' };
/** Codes of UNTDID 1001, which the norm takes for kinds of papers. */
const typeCodes: Record<InvoiceRow['series'], string> = {
  invoice: '380',
  'credit-note': '381',
  'debit-note': '383',
};
/** UNTDID 4461: a bank card. */
const CARD = '48';
/** UN/ECE recommendation 20: a piece, and one of anything. */
const [PIECE, ONE] = ['H87', 'C62'];
/** UNTDID 1001: the identifier of what a line is about. */
const LINE_OBJECT = '130';

const namespaces = [
  'CrossIndustryInvoice',
  'ReusableAggregateBusinessInformationEntity',
  'UnqualifiedDataType',
]
  .concat('QualifiedDataType')
  .map((name, index) => {
    const prefix = ['rsm', 'ram', 'udt', 'qdt'][index];
    return ` xmlns:${prefix}="urn:un:unece:uncefact:data:standard:${name}:100"`;
  })
  .join('');

/** Letters that XML has no form for are left out. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

type Content = string | readonly string[] | undefined;

/** Absent content gives no element: the norm allows no empty one. */
function element(name: string, content: Content, attributes = ''): string {
  const inside = Array.isArray(content) ? content.join('') : content;
  return inside ? `<${name}${attributes}>${inside}</${name.split(' ')[0]}>` : '';
}
const ram = (name: string, ...content: readonly string[]): string => element(`ram:${name}`, content);
const text = (name: string, content: string | null | undefined, attributes = ''): string =>
  element(`ram:${name}`, escapeXml((content ?? '').trim()), attributes);
const amount = (name: string, cents: number, attributes = ''): string =>
  text(name, writeAmount(toAmount(cents)), attributes);
const day = (prefix: 'udt' | 'qdt', { timeZone }: InvoiceRow, at: Date): string =>
  `<${prefix}:DateTimeString format="102">${readDay(at, timeZone).replaceAll('-', '')}</${prefix}:DateTimeString>`;

/**
 * The paper as Cross Industry Invoice in the profile EN 16931, which is the XML of Factur-X and ZUGFeRD. Lines are
 * net; their sums are the paper's.
 * @param credited the invoice of a note
 */
export function renderEInvoice(row: KnownPaper, credited: InvoiceRow | null): string {
  const { seller, buyer, reference, series } = row;
  const guideline = ram('GuidelineSpecifiedDocumentContextParameter', text('ID', 'urn:cen.eu:en16931:2017'));
  const document = [
    text('ID', formatNumber(row)),
    text('TypeCode', typeCodes[series]),
    ram('IssueDateTime', day('udt', row, row.issuedAt)),
  ];
  const agreement = ram(
    'ApplicableHeaderTradeAgreement',
    ram('SellerTradeParty', ...describeSeller(seller)),
    ram('BuyerTradeParty', ...describeBuyer(buyer)),
    ram('SellerOrderReferencedDocument', text('IssuerAssignedID', String(row.orderNumber))),
    ram('BuyerOrderReferencedDocument', text('IssuerAssignedID', reference)),
  );
  const transaction = [
    ...row.lines.map((line, index) => describeLine(row, line, index + 1)),
    agreement,
    '<ram:ApplicableHeaderTradeDelivery/>',
    describeSettlement(row, credited),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    'rsm:CrossIndustryInvoice',
    [
      element('rsm:ExchangedDocumentContext', guideline),
      element('rsm:ExchangedDocument', document),
      element('rsm:SupplyChainTradeTransaction', transaction),
    ],
    namespaces,
  )}\n`;
}

const readTaxNumber = (taxNumber: string): string => taxNumber.toUpperCase().replace(/[\s.\-/]/g, '');

/** A number with its country's letters is one for the value added tax, any other the tax office's. */
function describeTaxNumber(taxNumber: string): string {
  const plain = readTaxNumber(taxNumber);
  return isVatNumber(plain)
    ? ram('SpecifiedTaxRegistration', text('ID', plain, ' schemeID="VA"'))
    : ram('SpecifiedTaxRegistration', text('ID', taxNumber, ' schemeID="FC"'));
}
const isVatNumber = (plain: string): boolean =>
  /^[A-Z]{2}[0-9A-Z+*]{2,14}$/.test(plain) && /\d/.test(plain) && hasCountry(plain.slice(0, 2));
/** Greece has EL, Northern Ireland XI. */
const hasCountry = (letters: string): boolean => COUNTRIES.includes(letters) || /^(?:EL|XI)$/.test(letters);

function describeParty(
  name: string,
  address: readonly string[],
  { country, email }: { country: Country; email: string | null },
  taxNumber: string,
  contact = '',
): string[] {
  const [one, two, ...others] = address.filter((line) => line !== country.name);
  return [
    text('Name', name),
    contact,
    ram(
      'PostalTradeAddress',
      text('LineOne', one),
      text('LineTwo', two),
      text('LineThree', others.join(', ')),
      text('CountryID', country.code),
    ),
    ram('URIUniversalCommunication', text('URIID', email, ' schemeID="EM"')),
    taxNumber === '' ? '' : describeTaxNumber(taxNumber),
  ];
}

/** A seller without a number for the value added tax is identified by the other. */
function describeSeller(seller: KnownPaper['seller']): string[] {
  const { name, address, taxId } = seller;
  const id = isVatNumber(readTaxNumber(taxId)) ? '' : text('ID', taxId);
  return [id, ...describeParty(name, address, seller, taxId)];
}

function describeBuyer(buyer: KnownPaper['buyer']): string[] {
  const { name, company, address, taxNumber = '' } = buyer;
  // Reverse charge needs a number of the buyer, and the norm takes another one only as the register's.
  const isOther = taxNumber !== '' && !isVatNumber(readTaxNumber(taxNumber));
  const register = isOther ? ram('SpecifiedLegalOrganization', text('ID', taxNumber)) : '';
  const contact = company ? ram('DefinedTradeContact', text('PersonName', name)) : '';
  const lines = address.split('\n').map((line) => line.trim());
  return describeParty(
    company || name,
    lines.filter(Boolean),
    buyer,
    isOther ? '' : taxNumber,
    register + contact,
  );
}

const netCents = ({ amountCents, taxCents = 0 }: InvoiceLine): number => amountCents - taxCents;

function describeLine({ tax }: KnownPaper, line: InvoiceLine, position: number): string {
  const { partNumber, name, quantity, priceCents, netPriceCents } = line;
  // Money without pieces, or other than their price, is one amount.
  const isPriced = quantity !== null && priceCents !== null;
  const price = isPriced ? (netPriceCents ?? priceCents) : netCents(line);
  return ram(
    'IncludedSupplyChainTradeLineItem',
    ram('AssociatedDocumentLineDocument', text('LineID', String(position))),
    ram('SpecifiedTradeProduct', text('SellerAssignedID', partNumber), text('Name', name.trim() || '–')),
    ram(
      'SpecifiedLineTradeAgreement',
      ram('NetPriceProductTradePrice', text('ChargeAmount', String(Number(toAmount(price).toFixed(8))))),
    ),
    ram(
      'SpecifiedLineTradeDelivery',
      text('BilledQuantity', String(isPriced ? quantity : 1), ` unitCode="${isPriced ? PIECE : ONE}"`),
    ),
    ram(
      'SpecifiedLineTradeSettlement',
      ram('ApplicableTradeTax', text('TypeCode', 'VAT'), ...describeRate(tax)),
      ram('SpecifiedTradeSettlementLineMonetarySummation', amount('LineTotalAmount', netCents(line))),
      ram(
        'AdditionalReferencedDocument',
        text('IssuerAssignedID', String(line.orderNumber)),
        text('TypeCode', LINE_OBJECT),
      ),
    ),
  );
}

const describeRate = ({ category, rate }: KnownPaper['tax'] & { rate: number }): string[] => [
  text('CategoryCode', categories[category]),
  text('RateApplicablePercent', (rate / 100).toFixed(2)),
];

function describeSettlement(row: KnownPaper, credited: InvoiceRow | null): string {
  const { tax, currency, totalCents, taxCents, lines } = row;
  const basisCents = lines.reduce((sum, line) => sum + netCents(line), 0);
  const code = currency.toUpperCase();
  const [category, percent] = describeRate(tax);
  return ram(
    'ApplicableHeaderTradeSettlement',
    text('PaymentReference', row.transactionId),
    text('InvoiceCurrencyCode', code),
    ram('SpecifiedTradeSettlementPaymentMeans', text('TypeCode', CARD)),
    ram(
      'ApplicableTradeTax',
      amount('CalculatedAmount', taxCents),
      text('TypeCode', 'VAT'),
      text('ExemptionReason', describeExemption(tax)),
      amount('BasisAmount', basisCents),
      category ?? '',
      percent ?? '',
    ),
    ram(
      'SpecifiedTradeSettlementHeaderMonetarySummation',
      amount('LineTotalAmount', basisCents),
      amount('TaxBasisTotalAmount', basisCents),
      amount('TaxTotalAmount', taxCents, ` currencyID="${code}"`),
      amount('GrandTotalAmount', totalCents),
      amount('TotalPrepaidAmount', totalCents),
      amount('DuePayableAmount', 0),
    ),
    credited === null
      ? ''
      : ram(
          'InvoiceReferencedDocument',
          text('IssuerAssignedID', formatNumber(credited)),
          ram('FormattedIssueDateTime', day('qdt', credited, credited.issuedAt)),
        ),
  );
}

/** As on the sheet. */
function describeExemption({ category, text: words }: NonNullable<InvoiceRow['tax']>): string | null {
  if (category === 'exempt') return words ?? 'Exempt from tax';
  if (category === 'reverse') return words === null ? 'Reverse charge' : `Reverse charge: ${words}`;
  return null;
}
