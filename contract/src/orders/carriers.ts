/** Addresses of the carriers' own pages; the parcel's number comes last. No imports, so pages load it alone. */
const pages = {
  DHL: 'https://www.dhl.com/global-en/home/tracking.html?tracking-id=',
  DPD: 'https://tracking.dpd.de/status/en_US/parcel/',
  Evri: 'https://www.evri.com/track/parcel/',
  FedEx: 'https://www.fedex.com/fedextrack/?trknbr=',
  GLS: 'https://gls-group.com/track/',
  'La Poste': 'https://www.laposte.fr/outils/suivre-vos-envois?code=',
  PostNL: 'https://postnl.nl/tracktrace/?B=',
  'Royal Mail': 'https://www.royalmail.com/track-your-item#/tracking-results/',
  UPS: 'https://www.ups.com/track?tracknum=',
  USPS: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=',
} as const;

/** Offered while typing; any other name is allowed. */
export const CARRIERS = Object.keys(pages);

/** Carriers and numbers are compared without case and spaces. */
export const toParcelKey = (text: string): string => text.replace(/\s+/g, '').toLowerCase();

const pagesByKey = new Map(Object.entries(pages).map(([name, page]) => [toParcelKey(name), page]));
/** Whole names: other countries have other firms of the name. */
const otherNames = new Map([
  ['colissimo', pages['La Poste']],
  ['deutschepost', pages.DHL],
  ['hermes', pages.Evri],
]);

/** A service or country may follow the name, as in `UPS Ground`. Null for other carriers. */
export function findParcelPage({ carrier, number }: { carrier: string; number: string }): string | null {
  const words = carrier.trim().split(/[\s_,-]+/);
  const keys = words.map((_, last) => toParcelKey(words.slice(0, last + 1).join('')));
  const key = keys.find((each) => pagesByKey.has(each)) ?? '';
  const page = pagesByKey.get(key) ?? otherNames.get(toParcelKey(carrier));
  return page === undefined ? null : page + encodeURIComponent(number.replace(/\s+/g, ''));
}
