import { expect, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { personAt } from '#test/person.ts';
import { useShop } from '#test/use-shop.ts';

/** Two processes on one database, like two workers or machines. */
const env = { RATE_LIMITS: 'on', WORKERS: '2' };
const first = useShop({ env });
const second = useShop({ env, shareDatabaseWith: first });

test('all processes together open 120 payments a minute for an account', async () => {
  const customer = await signedInAs(first, 'user');
  const open = async (index: number) => {
    const { status } = await personAt(index % 2 ? second : first, customer).post('/create-payment-intent', {
      price: 1,
    });
    return status;
  };
  const statuses = await Promise.all(Array.from({ length: 130 }, (_, index) => open(index)));
  expect(statuses.filter((status) => status === 404)).toHaveLength(120);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});
