import { randomUUID } from 'node:crypto';
import { totalCents, unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { orders } from '#src/orders/schema.ts';
import type { CataloguePart, History } from './assets.ts';
import { makeIdAt } from './make-id-at.ts';
import { type Course, planCourse } from './plan-course.ts';

type Customer = History['customers'][number];

export type ShopPart = CataloguePart & { id: string; image: string };

export interface Sale {
  id: string;
  userId: string;
  productId: string;
  customer: Customer;
  part: ShopPart;
  quantity: number;
  reference: string | null;
  /** Shared by orders of one customer at one moment; null for a single order. */
  batch: string | null;
  priceCents: number;
  totalCents: number;
  course: Course;
}

/**
 * Oldest first.
 * @param userIds the customers' ids in order
 * @param holdMs null for no expiry
 */
export function planSales(
  { customers }: History,
  userIds: readonly string[],
  parts: ReadonlyMap<string, ShopPart>,
  now: Date,
  holdMs: number | null,
): Sale[] {
  const wanted = customers.flatMap((customer, customerIndex) =>
    customer.orders.flatMap(({ daysAgo, ...order }) =>
      daysAgo.map((days) => ({ customer, customerIndex, daysAgo: days, ...order })),
    ),
  );
  const batches = new Map(
    [...Map.groupBy(wanted, ({ customerIndex, daysAgo }) => `${customerIndex} ${daysAgo}`)].map(
      ([key, { length }]) => [key, length > 1 ? randomUUID() : null],
    ),
  );
  return wanted
    .sort((a, b) => b.daysAgo - a.daysAgo)
    .map(({ customer, customerIndex, daysAgo, part: slug, quantity, fate, reference }, index) => {
      const part = getPart(parts, slug);
      const priceCents = unitPriceFor(quantity, part);
      const total = totalCents(quantity, priceCents);
      const course = planCourse({ fate, daysAgo, totalCents: total }, index, now, holdMs);
      return {
        id: makeIdAt(course.placedAt),
        userId: String(userIds[customerIndex]),
        productId: part.id,
        customer,
        part,
        quantity,
        reference: reference ?? null,
        batch: batches.get(`${customerIndex} ${daysAgo}`) ?? null,
        priceCents,
        totalCents: total,
        course,
      };
    });
}

/** Accepted orders are sent within this time. */
const PACKING_MS = 3 * 24 * 3_600_000;

export function toOrderRow(sale: Sale, transactionId: string | null, now: Date): typeof orders.$inferInsert {
  const { customer, part, course } = sale;
  const { paidAt, acceptedAt, refund, disputedAt, closedAt } = course;
  const moments = [course.placedAt, paidAt, acceptedAt, refund?.at, disputedAt, closedAt];
  return {
    id: sale.id,
    userId: sale.userId,
    productId: sale.productId,
    productName: part.name,
    image: part.image,
    priceCents: sale.priceCents,
    name: customer.name,
    email: customer.email,
    address: customer.address,
    phone: customer.phone,
    quantity: sale.quantity,
    batch: sale.batch,
    reference: sale.reference,
    totalCents: sale.totalCents,
    status: acceptedAt ? 'paid' : paidAt ? 'pending' : 'due',
    transactionId,
    heldUntil: course.heldUntil,
    refundCents: refund?.amountCents ?? 0,
    refundState: refund ? 'succeeded' : null,
    settledCents: refund?.amountCents ?? 0,
    refundedPieces: refund?.isByShop ? sale.quantity : 0,
    sentPieces: acceptedAt && acceptedAt.getTime() < now.getTime() - PACKING_MS ? sale.quantity : 0,
    disputed: disputedAt !== null,
    closed: course.closed,
    closedAt,
    createdAt: course.placedAt,
    updatedAt: new Date(Math.max(...moments.map((moment) => moment?.getTime() ?? 0))),
  };
}

export function getPart(parts: ReadonlyMap<string, ShopPart>, slug: string): ShopPart {
  const part = parts.get(slug);
  if (!part) throw new Error(`The catalogue has no ${slug}.`);
  return part;
}
