import { unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { BatchLine } from '@parts-forge/contract/orders/batch';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { PageConfig, PageShop } from '@parts-forge/contract/people/identity';
import type { Session } from '@parts-forge/contract/people/identity-service';
import type { User } from '@parts-forge/contract/people/users';
import type { Product } from '@parts-forge/contract/products/products';
import type { Review } from '@parts-forge/contract/products/reviews';

// Sample responses for the tests.

let count = 0;
const nextId = () => {
  count += 1;
  return `01a1fe55-4eaf-7194-bacc-${String(count).padStart(12, '0')}`;
};
/** Each later than the ones before, as lists are newest first. */
const nextInstant = () => new Date(Date.UTC(2026, 0, 1) + count * 60_000).toISOString();

export function aUser(wanted: Partial<User> = {}): User {
  const _id = nextId();
  return {
    _id,
    name: 'Amara Okafor',
    email: 'amara@repair.example',
    role: 'user',
    education: '',
    location: '',
    phone: '',
    linkdin: '',
    createdAt: nextInstant(),
    updatedAt: nextInstant(),
    ...wanted,
  };
}

export function aSession(wanted: Partial<Session> = {}): Session {
  const id = nextId();
  return {
    id,
    token: `token-of-${id}`,
    createdAt: '2026-11-18T09:30:00.000Z',
    updatedAt: '2026-11-21T09:30:00.000Z',
    expiresAt: '2026-11-28T09:30:00.000Z',
    ipAddress: '192.0.2.7',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
    ...wanted,
  };
}

export function aProduct(wanted: Partial<Product> = {}): Product {
  const _id = nextId();
  return {
    _id,
    name: 'OLED display assembly',
    description: 'Display with digitiser and frame.',
    price: 64.5,
    quantity: 24_800,
    minimumOrder: 50,
    image: `/images/${'a'.repeat(64)}-1280.webp`,
    number: `PF-${String(count).padStart(5, '0')}`,
    alsoKnownAs: [],
    kind: 'Other',
    fits: [],
    attributes: [],
    images: [`/images/${'a'.repeat(64)}-1280.webp`],
    orderStep: 1,
    priceBreaks: [],
    availableUntil: null,
    deliveryDays: null,
    replacedBy: null,
    expectedAt: null,
    version: 1,
    createdAt: nextInstant(),
    updatedAt: nextInstant(),
    ...wanted,
  };
}

/** At the part's current price. */
export function aBatchLine(wanted: Partial<BatchLine> = {}): BatchLine {
  const product = wanted.product ?? aProduct();
  const quantity = wanted.quantity ?? 50;
  return {
    product,
    quantity,
    price: unitPriceFor(quantity, product) / 100,
    updatedAt: nextInstant(),
    ...wanted,
  };
}

export function anOrder(wanted: Partial<Order> = {}): Order {
  const _id = nextId();
  return {
    _id,
    productId: nextId(),
    productName: 'OLED display assembly',
    partNumber: 'PF-D6101',
    image: `/images/${'a'.repeat(64)}-1280.webp`,
    name: 'Amara Okafor',
    email: 'amara@repair.example',
    address: '12 Oxford Street, Osu\nAccra, Ghana',
    phone: '233302771204',
    number: 10_000 + count,
    quantity: 120,
    price: 64.5,
    totalPrice: 7740,
    status: 'due',
    createdAt: nextInstant(),
    updatedAt: nextInstant(),
    ...wanted,
  };
}

/** Of `pi_3QhV1xKw0Lc2`. */
export const aPayment = () => ({
  transactionId: 'pi_3QhV1xKw0Lc2',
  state: 'succeeded',
  orders: ['01a1fe55-4eaf-7194-bacc-000000000001'],
  share: 7740,
  amount: 7740,
  received: 7740,
  refunded: 0,
  disputed: false,
  inquiry: false,
  card: { kind: 'visa', last4: '1881' },
  askedAt: '2026-11-21T14:05:12.000Z',
});

export const aPaper = (number: string): NonNullable<Order['papers']>[number] => ({
  number,
  kind: 'invoice',
  day: '2026-11-20',
  total: 100,
  net: 80,
  tax: 20,
});

export function aReview(wanted: Partial<Review> = {}): Review {
  return {
    _id: nextId(),
    name: 'Amara Okafor',
    rating: 4.5,
    description: 'Consistent from batch to batch.',
    verified: false,
    createdAt: nextInstant(),
    ...wanted,
  };
}

export const aShop = (wanted: Partial<PageShop> = {}): PageShop => ({
  name: 'Kestrel Components',
  tagline: 'Components for kestrels.',
  description: 'Components for kestrels, by the box.',
  address: ['1 Mill Road', 'Leeds'],
  links: [{ name: 'Instagram', url: 'https://instagram.example/kestrel' }],
  picture: null,
  ...wanted,
});

export const aConfig = (payments: Partial<PageConfig['payments']> = {}): PageConfig => ({
  identity: {
    kind: 'embedded',
    google: false,
    selfService: true,
    mail: false,
    adminSecondFactor: 'optional',
  },
  payments: { mode: 'stripe', publishableKey: 'pk_test_1', scriptUrl: null, ...payments },
  images: {
    maxBytes: 10 * 1024 * 1024,
    types: ['image/jpeg', 'image/png', 'image/webp'],
    widths: [160, 320, 640, 1280],
  },
  holdHours: 72,
  contactEmail: null,
  timeZone: 'UTC',
  currency: 'USD',
  chargesTax: true,
  wishes: true,
  shop: aShop(),
});
