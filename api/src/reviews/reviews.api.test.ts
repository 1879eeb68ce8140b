import { afterEach, describe, expect, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { queueBehind } from '#test/waiting-statements.ts';

// Slow machines must not fail the races with an account deletion.
const shop = useShop({ env: { STATEMENT_TIMEOUT_MS: '60000' } });
const customer = usePerson(shop, 'user', { name: 'Tomás Herrera' });

const review = (more: object = {}) => ({
  name: 'Somebody else',
  email: customer.email,
  rating: 4.5,
  description: 'Consistent from batch to batch.\nThank you.',
  ...more,
});
const submit = (body: unknown, token: string | null = customer.token) =>
  shop.request('/review', { method: 'POST', token, body });

test('a new review is listed first under its name without the email', async () => {
  const before = (await shop.request('/review')).body.length;
  const submitted = await submit(review());
  expect([submitted.status, Object.keys(submitted.body)]).toEqual([200, ['insertedId']]);
  const { body } = await shop.request('/review');
  expect(body).toHaveLength(before + 1);
  expect(body[0]).toEqual({
    _id: submitted.body.insertedId,
    name: 'Tomás Herrera',
    rating: 4.5,
    description: 'Consistent from batch to batch.\nThank you.',
    verified: false,
    createdAt: expect.any(String),
  });
  expect(JSON.stringify(body)).not.toContain(customer.email);
});

test.each([1, 1.5, 4.5, 5])('a rating of %s is accepted', async (rating) => {
  expect((await submit(review({ rating }))).status).toBe(200);
  expect((await shop.request('/review?limit=1')).body[0].rating).toBe(rating);
});

test('the list is paged like other lists', async () => {
  await submit(review());
  const { headers, body } = await shop.request('/review?limit=1');
  expect(body).toHaveLength(1);
  expect(headers.get('link')).toMatch(/^<\/review\?limit=1&after=.+>; rel="next"$/);
  for (const limit of [0, 101]) expect((await shop.request(`/review?limit=${limit}`)).status).toBe(422);
  expect((await shop.request('/review?limit=100')).status).toBe(200);
  expect((await shop.request('/review?after=x')).status).toBe(422);
});

test('the list answers 304 until a new review changes its ETag', async () => {
  const etag = (await shop.request('/review')).headers.get('etag') ?? '';
  const again = () => shop.request('/review', { headers: { 'if-none-match': etag } });
  expect((await again()).status).toBe(304);
  await submit(review());
  expect((await again()).status).toBe(200);
});

describe('the account deletion of a reviewer', () => {
  afterEach(() => {
    expect(shop.services.database.counts.repeated).toBe(0);
  });

  test.each([
    ['refused', 401],
    ['removed with them', 200],
  ])("a review sent during its writer's account deletion is %s", async (_what, expected) => {
    const { userId, email, name, token } = await signedInAs(shop, 'user');
    const body = { email, name, rating: 5, description: 'Fits.' };
    const write = () => shop.request('/review', { method: 'POST', token, body });
    const remove = () => shop.request(`/user/${encodeURIComponent(email)}`, { method: 'DELETE', token });
    const [first, second] = expected === 401 ? [remove, write] : [write, remove];
    const lock = "select pg_advisory_xact_lock(hashtextextended('reviews ' || $1::text, 0))";
    const sent = await queueBehind(shop, [lock, userId], first, second);
    expect(sent.map(({ status }) => status)).toEqual([200, expected]);
    const { rowCount } = await shop.pool.query('select from reviews where user_id = $1', [userId]);
    expect(rowCount).toBe(0);
  });
});
