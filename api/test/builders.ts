import { randomBytes, randomUUID } from 'node:crypto';
import type { Caller, Policy } from '@parts-forge/contract/calls/policies';
import { toCents } from '@parts-forge/contract/money/money';
import { buildImageAddress } from '@parts-forge/contract/products/image-variant';
import type { Product } from '@parts-forge/contract/products/products';
import type { FastifyRequest } from 'fastify';
import { insertImages } from '#src/images/store.ts';
import { authorize } from '#src/platform/http/calls/access.ts';
import { products } from '#src/products/schema.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { users } from '#src/users/schema.ts';
import { type Person, personAt } from './person.ts';

export { type BatchLines, batchBody, orderBody, type Person } from './person.ts';

import type { TestShop } from './start-shop.ts';

/** Creates the token directly: sign-in has its own tests. */
export async function signedInAs(
  shop: TestShop,
  role: 'user' | 'admin',
  { name = 'Amara Okafor', email = `${randomUUID()}@fieldrepair.example` } = {},
): Promise<Person> {
  const userId = shop.services.ids.next();
  const { token } = await shop.services.changes.write(async (tx) => {
    await tx.insert(users).values({ id: userId, email, name, role });
    return shop.services.tokens.issue(tx, userId, { signedInAt: shop.services.clock.now() });
  });
  return personAt(shop, { userId, email, name, token });
}

/** With a new token, as the clock outruns tokens. */
export async function signedInAgain(shop: TestShop, person: Person): Promise<Person> {
  const { changes, tokens, clock } = shop.services;
  const { token } = await changes.write((tx) => tokens.issue(tx, person.userId, { signedInAt: clock.now() }));
  return personAt(shop, { ...person, token });
}

/** The actor of a request with the person's token, for a test that calls a use case itself. */
export const actorOf = <Who extends Caller>(
  { services: { tokens } }: TestShop,
  { token }: Pick<Person, 'token'>,
  call: { policy: Policy<Who> },
) => {
  const request = { headers: { authorization: `Bearer ${token}` }, query: {} };
  return authorize(request as unknown as FastifyRequest, call, tokens);
};

/** `price` in the shop's currency, other numbers in pieces. */
export async function aProduct(
  shop: TestShop,
  {
    name = `Display ${randomBytes(4).toString('hex')}`,
    price = 19.99,
    quantity = 1000,
    minimumOrder = 50,
    orderStep = 1,
    priceBreaks = [],
    number,
    kind,
    fits,
    attributes,
    replacedBy,
  }: Partial<Product> = {},
): Promise<Product> {
  const id = shop.services.ids.next();
  await shop.services.changes.write(async (tx, changed) => {
    await tx.insert(products).values({
      id,
      name,
      ...(number && { number }),
      kind,
      fits,
      attributes,
      replacedBy,
      description: 'Flexible panel bonded to its cover glass.',
      priceCents: toCents(price),
      quantity,
      minimumOrder,
      orderStep,
      priceBreaks: priceBreaks.map((each) => ({
        quantity: each.quantity,
        priceCents: toCents(each.price),
      })),
      image: `/images/${'0'.repeat(64)}-1280.webp`,
    });
    await writeEntry(tx, {
      id: shop.services.ids.next(),
      now: shop.services.clock.now(),
      event: 'product-added',
      productId: id,
      stockChange: quantity,
    });
    changed('products', 'catalogue');
  });
  return readProduct(shop, id);
}

export const readProduct = async (shop: TestShop, id: string): Promise<Product> =>
  (await shop.request(`/product/${id}`)).body.data;

/** A known picture without files. @returns its address */
export async function aPicture({ services }: TestShop, hash: string): Promise<string> {
  const address = buildImageAddress(hash);
  const size = { width: 10, height: 10, bytes: 10 };
  await insertImages(services.database.db, [{ address, hash, type: 'webp', ...size }]);
  return address;
}
