import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { accessTokenOf, administrator, type Person, registered } from './people.ts';
import { aPart, type Part } from './stock.ts';

export interface Placed {
  id: string;
  /** An access token of the customer, for calls beside the page. */
  token: string;
}

/** An unpaid order of somebody registered, placed by the call itself. */
export async function anOrder(
  request: APIRequestContext,
  person: Person,
  part: Part,
  quantity = part.minimumOrder,
): Promise<Placed> {
  const token = await accessTokenOf(request, person);
  const answer = await request.post('/order', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      email: person.email,
      name: person.name,
      address: '12 Oxford Street, Osu\nAccra, Ghana',
      phone: '233302771204',
      productId: part._id,
      productName: part.name,
      quantity,
      totalPrice: quantity * part.price,
      status: 'due',
      image: '',
    },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return { id: (await answer.json()).insertedId, token };
}

/** Somebody new with an unpaid order, of a part of its own. */
export async function customerWithOrder(
  request: APIRequestContext,
): Promise<{ person: Person; part: Part; order: Placed }> {
  const person = await registered(request);
  const part = await aPart(request);
  return { person, part, order: await anOrder(request, person, part) };
}

/** Cancels an order beside the page, as another tab or an administrator would. */
export async function cancelBeside(request: APIRequestContext, { id, token }: Placed): Promise<void> {
  const answer = await request.delete(`/order/${id}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Pays for an order beside the page: the sandbox confirms with a test token, then the shop is told. */
export async function payBeside(request: APIRequestContext, { id, token }: Placed): Promise<string> {
  const authorization = `Bearer ${token}`;
  const order = await (await request.get(`/order/${id}`, { headers: { authorization } })).json();
  const opened = await request.post('/create-payment-intent', {
    headers: { authorization },
    data: { price: order.totalPrice, order: id },
  });
  const { clientSecret } = await opened.json();
  const transactionId = await confirmAtSandbox(request, clientSecret);
  const recorded = await request.put(`/order/${id}`, {
    headers: { authorization },
    data: { order: id, transactionId },
  });
  expect(recorded.status(), await recorded.text()).toBe(200);
  return transactionId;
}

/** Accepts the payment of an order beside the page, as an administrator does. */
export async function acceptBeside(request: APIRequestContext, { id }: Placed): Promise<void> {
  const authorization = `Bearer ${await accessTokenOf(request, administrator)}`;
  const answer = await request.put(`/order/accept/${id}`, {
    headers: { authorization },
    data: { status: 'paid' },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Confirms a payment as the card form would, and gives its id. */
export async function confirmAtSandbox(request: APIRequestContext, clientSecret: string): Promise<string> {
  const id = String(clientSecret.split('_secret_')[0]);
  const answer = await request.post(`/sandbox/stripe/v1/payment_intents/${id}/confirm`, {
    headers: { authorization: 'Bearer pk_test_sandbox' },
    form: { client_secret: clientSecret, payment_method: 'pm_card_visa' },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return id;
}

/** The status of an order as its customer reads it. */
export async function statusOf(request: APIRequestContext, { id, token }: Placed): Promise<string> {
  const answer = await request.get(`/order/${id}`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()).status;
}

const cardFrame = (page: Page) => page.frameLocator('iframe[title="Secure payment input frame"]');

/** Fills the card fields; the same selectors as the real provider's. */
export async function fillCard(page: Page, number: string, expiry = '12 / 34', cvc = '123'): Promise<void> {
  const frame = cardFrame(page);
  await frame.locator('[name=number]').fill(number);
  await frame.locator('[name=expiry]').fill(expiry);
  await frame.locator('[name=cvc]').fill(cvc);
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });

/** Answers the bank's question in the frame that asks it. */
export async function answerBank(page: Page, answer: 'authorize' | 'fail'): Promise<void> {
  await expect
    .poll(async () => {
      for (const frame of page.frames()) {
        const button = frame.locator(`#test-source-${answer}-3ds`);
        if ((await button.count()) > 0) {
          await button.click();
          return true;
        }
      }
      return false;
    })
    .toBe(true);
}
