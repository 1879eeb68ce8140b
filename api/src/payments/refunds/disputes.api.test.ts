import { describe, expect, test } from 'vitest';
import { testStories } from '#test/money-stories.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { controlSandbox } from '#test/paying.ts';
import { refreshPayment, useShopWithoutEvents } from '#test/payment-provider.ts';

const { clock, shop, admin } = useShopWithoutEvents();

const stories = `
# a disputed payment blocks acceptance and refund until the shop wins the dispute
pending
the dispute is needs_response
the job looks | order pending, disputed
accept | disputed
refund back | disputed
the dispute is won
the job looks | order pending
accept | done

# losing the dispute closes the order and returns its pieces
pending
the dispute is under_review
the dispute is lost
the shop reads events | order refunded, 1139.43 succeeded, 1139.43 lost | stock 1000

# the acceptance finds a dispute of which no event arrived
pending
the dispute is warning_needs_response
accept | disputed | order pending, asked

# an inquiry blocks the acceptance, and a refund settles it
pending
the dispute is warning_under_review
the job looks | order pending, asked
accept | disputed
refund back | 1139.43 succeeded | stock 1000

# a prevented one closes the order if its money went back
pending
the dispute is prevented without its money
accept | disputed
the dispute is prevented
accept | payment-refunded | order refunded, 1139.43 succeeded, 1139.43 lost

# a won one holds the order until its money is back
pending
the dispute is needs_response
the dispute is won without its money
accept | disputed
the dispute is won
accept | done

# a won appeal is shown, refunded again and on paper
pending
the dispute is lost
the shop reads events | order refunded, 1139.43 succeeded, 1139.43 lost | returned nothing
the dispute is appeal_under_review
the shop reads events | order refunded, 1139.43 succeeded, 1139.43 lost | returned nothing
the dispute is won
the shop reads events | order refunded, 1139.43 returned | returned 1139.43
refund back | 1139.43 succeeded | returned nothing | notes 1139.43×57 lost, -1139.43×57 lost, 1139.43×57
    | stock 1000
refund back | already-refunded

# a lost dispute that replaces a failed refund has one note
pending
refunds will be failed
refund back | 1139.43 pending
the dispute is lost
the shop reads events | order refunded, 1139.43 succeeded, 1139.43 lost | notes 1139.43×57 lost

# the shop refunds what the provider could not refund
pending
the provider refunds
the shop reads events | order refunded, 1139.43 succeeded
the succeeded refund of $1139.43 becomes failed
the shop reads events | returned 1139.43
refund back | 1139.43 succeeded | returned nothing | notes 1139.43×57, -1139.43×57, 1139.43×57

# a part that comes back is refunded alone
pending
the provider refunds $200
the provider refunds
the shop reads events
the succeeded refund of $200 becomes failed
the shop reads events | returned 200
refund back | 200 succeeded | order refunded, 1139.43 succeeded

# a part of a refund that came back is refunded again: pending
pending
the provider refunds $200
refund back | 939.43 succeeded
the succeeded refund of $200 becomes failed
the shop looks | order refunded, 939.43 succeeded, 200 returned | notes 200, 939.43×57, -200
    | trail refunded to 200 succeeded, refunded 939.43×57 to 1139.43 pending, refund-changed to 939.43 succeeded, refund-changed to 939.43 succeeded
refund back | 200 succeeded | order refunded, 1139.43 succeeded | notes 200, 939.43×57, -200, 200
refund back | already-refunded | provider 200 failed, 200, 939.43

# a part of a refund that came back is refunded again: accepted
accepted
the provider refunds $200
refund back | 939.43 succeeded
the succeeded refund of $200 becomes failed
the shop looks | order paid, 939.43×57 succeeded | notes 200, 939.43×57, -200
    | trail refunded to 200 succeeded, refunded 939.43×57 to 1139.43 pending, refund-changed to 939.43 succeeded, refund-changed to 939.43 succeeded
refund back | 200 succeeded | order paid, 1139.43 succeeded | notes 200, 939.43×57, -200, 200
refund back | already-refunded | provider 200 failed, 200, 939.43

# a part that comes back for three closed orders counts once
3 together
the provider refunds $150
the provider refunds $150
the shop looks
the succeeded refund of $150 becomes failed
the shop looks | order A refunded, 50 succeeded | order B refunded, 100 succeeded
    | order C refunded, 150 returned | notes A 50×50 | notes B 100×50 | notes C 150×50, -150×50
refund A back | already-refunded
refund B back | already-refunded
refund C back | 150 succeeded | order A refunded, 50 succeeded | order B refunded, 100 succeeded
    | order C refunded, 150 succeeded | provider 150 failed, 150, 150

# the bank's question does not hide a refund that came back
pending
the dispute is warning_needs_response
the shop looks
the provider refunds
the shop looks | order refunded, 1139.43 succeeded, asked | notes 1139.43×57
the succeeded refund of $1139.43 becomes failed
the shop looks | order refunded, 1139.43 returned, asked | notes 1139.43×57, -1139.43×57
refund back | 1139.43 succeeded

# a dispute that is lost without its money holds the order
pending
the dispute is lost without its money
the shop looks | order pending, asked | notes none
`;

testStories(shop, clock, stories);

describe('a disputed payment', () => {
  const dispute = (intent: string, status: string) => controlSandbox(shop, { dispute: { intent, status } });

  test('shows a deadline for evidence only until evidence is sent', async () => {
    const pending = await aPendingOrder(shop);
    const read = async () => (await admin.get(`/order/${pending.order._id}/payment`)).body;
    expect(await read()).not.toHaveProperty('answerBy');
    await dispute(pending.id, 'needs_response');
    const { disputed, answerBy } = await read();
    const days = (Date.parse(answerBy) - clock.now().getTime()) / (24 * 3600 * 1000);
    expect([disputed, Math.round(days)]).toEqual([true, 12]);
    await dispute(pending.id, 'under_review');
    expect(await read()).toMatchObject({ disputed: true });
    expect(await read()).not.toHaveProperty('answerBy');
  });

  test('an unknown status holds the order and is logged', async () => {
    const lines: string[] = [];
    const log = { ...shop.services.log, warn: (facts: object) => lines.push(JSON.stringify(facts)) };
    const pending = await aPendingOrder(shop);
    await dispute(pending.id, 'something_new');
    const services = { ...shop.services, log: log as unknown as typeof shop.services.log };
    await refreshPayment(shop, pending.id, services);
    expect(await admin.reads(pending.order)).toMatchObject({ disputed: true });
    expect(lines.join()).toContain('"status":"something_new"');
  });
});
