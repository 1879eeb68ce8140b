import type { Call, Given, Parsed } from '@parts-forge/contract/calls/call';
import type { Role } from '@parts-forge/contract/calls/policies';
import type { ProblemBody } from '@parts-forge/contract/calls/problem-body';
import { type ProblemCode, problems, problemType } from '@parts-forge/contract/calls/problems';
import { countOrders, listOrders } from '@parts-forge/contract/orders/orders';
import { exchangeIdentity, logout, readConfig } from '@parts-forge/contract/people/identity';
import { readUser } from '@parts-forge/contract/people/users';
import { readOwnPrices } from '@parts-forge/contract/prices/agreed-prices';
import { listQuotes } from '@parts-forge/contract/prices/quotes';
import { readProductFacets } from '@parts-forge/contract/products/products';
import { countWishes } from '@parts-forge/contract/products/wishes';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { aConfig, aSession, aUser } from '#test/builders.ts';
import { createFakeXMLHttpRequest } from './fake-xml-http-request.ts';

export interface ShopRequest {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: Headers;
  /** Parsed JSON, or the form; null without a body. */
  body: unknown;
}

export type ShopHandler = (request: ShopRequest) => Response | Promise<Response>;

/** A call of the contract, or another path: `GET /identity/token`. */
type Target = Call | `${string} /${string}`;

/**
 * Fakes the shop at `fetch` and `XMLHttpRequest`, new for every test. An unexpected request fails the test.
 */
export function startFakeShop(): FakeShop {
  const shop = new FakeShop();
  beforeEach(() => {
    shop.reset();
    vi.stubGlobal('fetch', (address: string, init?: RequestInit) => shop.fetch(address, init));
    vi.stubGlobal('XMLHttpRequest', createFakeXMLHttpRequest(shop));
  });
  afterEach(() => {
    expect(shop.unexpectedRequests).toEqual([]);
  });
  return shop;
}

/** The contract types the answers. The latest answer of a call counts. */
export class FakeShop {
  /** The identity service's signed-in user. */
  identityUser: {
    id?: string;
    email: string;
    name: string;
    twoFactorEnabled?: boolean;
    emailVerified?: boolean;
  } | null = null;
  /** The user's sessions; the first is this browser's. */
  sessions = [aSession()];
  /** The user's ways to sign in. */
  signInMethods = ['credential'];
  unexpectedRequests: string[] = [];
  #handlers = new Map<string, ShopHandler>();
  #requests: { target: string; request: ShopRequest }[] = [];

  /** Nobody is signed in, and only the identity service answers. */
  reset(): void {
    this.identityUser = null;
    this.sessions = [aSession()];
    this.signInMethods = ['credential'];
    this.unexpectedRequests = [];
    this.#requests = [];
    this.#handlers = new Map();
    this.respond('GET /identity/get-session', () =>
      Response.json(this.identityUser && { user: this.identityUser, session: this.sessions[0] }),
    );
    this.respond('GET /identity/list-accounts', () =>
      Response.json(this.signInMethods.map((providerId) => ({ providerId, accountId: 'an-id' }))),
    );
    this.respond('GET /identity/list-sessions', () => Response.json(this.sessions));
    this.answer(readConfig, aConfig());
    this.respond('GET /identity/token', () =>
      this.identityUser ? Response.json({ token: 'proof' }) : new Response('{}', { status: 401 }),
    );
    this.respond('POST /identity/sign-out', () => {
      this.identityUser = null;
      return Response.json({ success: true });
    });
    this.answer(listOrders, { data: [] });
    this.answer(countOrders, {
      due: 1,
      pending: 2,
      paid: 3,
      toSend: 2,
      cancelled: 0,
      expired: 0,
      refunded: 4,
    });
    this.answer(readProductFacets, { kinds: [], fits: [] });
    this.answer(countWishes, { data: [] });
    this.answer(readOwnPrices, { data: [] });
    this.answer(listQuotes, { data: [] });
    this.answer(exchangeIdentity, { acknowledged: true, token: 'a-new-token', expiresIn: 900 });
    this.respond(logout, () => new Response(null, { status: 204 }));
  }

  /** Signs a user in, as a loading page finds it. */
  signIn(role: Role = 'user', user = aUser({ role })): void {
    localStorage.setItem('accessToken', 'a-token');
    this.identityUser = { id: `account-${user._id}`, email: user.email, name: user.name };
    this.answer(readUser, user);
  }

  answer<C extends Call>(
    call: C,
    answer: Parsed<C['answer']>,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    this.respond(call, () => Response.json(answer, { headers }));
  }

  /** @param next the cursor of the next page; none on the last page */
  answerPage<C extends Call>(call: C, answer: Parsed<C['answer']>, total: string, next?: string): void {
    const link = next === undefined ? {} : { link: `<${call.path}?after=${next}>; rel="next"` };
    this.answer(call, answer, { 'x-total-count': total, ...link });
  }

  refuse(target: Target, code: ProblemCode, extras?: RefusalExtras): void {
    this.respond(target, () => createRefusal(code, extras));
  }

  refuseIdentity(target: Target, status: number, message: string, code: string): void {
    this.respond(target, () => Response.json({ message, code }, { status }));
  }

  /** Accepts a password, a code or a registration, and creates a session. */
  letIn(
    { email, name } = aUser(),
    target: `POST /identity/${string}` = 'POST /identity/sign-in/email',
  ): void {
    this.respond(target, () => {
      this.identityUser = { email, name };
      return Response.json({ user: this.identityUser });
    });
  }

  /** Breaks the connection before the response. */
  disconnect(target: Target): void {
    this.respond(target, () => Promise.reject(new TypeError('Failed to fetch')));
  }

  /** Delays responses until the returned function is called. */
  hold(target: Target): () => void {
    const name = nameTarget(target);
    const { promise, resolve } = Promise.withResolvers<void>();
    const handler = this.#handlers.get(name);
    if (!handler) throw new Error(`${name} has no answer that could wait`);
    this.respond(target, async (request) => {
      await promise;
      return handler(request);
    });
    return resolve;
  }

  respond(target: Target, handler: ShopHandler): void {
    this.#handlers.set(nameTarget(target), handler);
  }

  /** In order. */
  getRequests(target: Target): ShopRequest[] {
    return this.#requests.filter((each) => each.target === nameTarget(target)).map(({ request }) => request);
  }

  /** The body of the only request. */
  getSentBody<C extends Call>(call: C): Given<C['body']> {
    const requests = this.getRequests(call);
    expect(requests).toHaveLength(1);
    return requests[0]?.body as Given<C['body']>;
  }

  fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : (init.body ?? null);
    return this.handle(init.method ?? 'GET', address, new Headers(init.headers), body);
  }

  async handle(method: string, address: string, headers: Headers, body: unknown): Promise<Response> {
    const { pathname, searchParams } = new URL(address, location.origin);
    for (const [target, handler] of this.#handlers) {
      const params = matchTarget(target, method, pathname);
      if (!params) continue;
      const request = { params, query: searchParams, headers, body };
      this.#requests.push({ target, request });
      const answer = await handler(request);
      await nextTask();
      return answer;
    }
    this.unexpectedRequests.push(`${method} ${address}`);
    return createRefusal('internal');
  }
}

export interface RefusalExtras extends Partial<ProblemBody> {
  /** In seconds. */
  retryAfter?: number;
}

export function createRefusal(code: ProblemCode, { retryAfter, ...extras }: RefusalExtras = {}): Response {
  const { status, title } = problems[code];
  return Response.json(
    { type: problemType(code), title, status, detail: title, ...extras },
    { status, headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) } },
  );
}

/** As no network answers within the task of the request: React subscribes a new component to its data first. */
const { setImmediate: whenDone } = globalThis;
const nextTask = () => new Promise<void>((resolve) => whenDone(resolve));

const nameTarget = (target: Target): string =>
  typeof target === 'string' ? target : `${target.method} ${target.path}`;

/** The values of the target's `:names`; null without a match. */
function matchTarget(target: string, method: string, pathname: string): Record<string, string> | null {
  const pattern = new RegExp(`^${target.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
  const match = pattern.exec(`${method} ${pathname}`);
  if (!match) return null;
  const params = Object.entries(match.groups ?? {});
  return Object.fromEntries(params.map(([name, value]) => [name, decodeURIComponent(value)]));
}
