import type { Call, Given, Parsed } from '@parts-forge/contract/call';
import { exchangeIdentity, logout, readConfig } from '@parts-forge/contract/identity';
import { listOrders } from '@parts-forge/contract/orders';
import type { Role } from '@parts-forge/contract/policies';
import { type ProblemBody, type ProblemCode, problems, problemType } from '@parts-forge/contract/problems';
import { readProductFacets } from '@parts-forge/contract/products';
import { readUser } from '@parts-forge/contract/users';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { aConfig, aSession, aUser } from '#app/dev/builders.ts';
import { createFakeXMLHttpRequest } from './fake-xml-http-request.ts';

/** A request as the shop got it. */
export interface ShopRequest {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: Headers;
  /** Parsed JSON, or the form; null without a body. */
  body: unknown;
}

export type ShopHandler = (request: ShopRequest) => Response | Promise<Response>;

/** A call of the contract, or a path of the shop that is none: `GET /identity/token`. */
type Target = Call | `${string} /${string}`;

/**
 * The shop as the tests of a file play it, answering at `fetch` and `XMLHttpRequest`; every test begins with a new
 * one. A request that a test did not expect fails it.
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

/** Answers are typed by the contract's descriptions of the calls. The newest answer of a call counts. */
export class FakeShop {
  /** Who has a session at the identity service. */
  identityUser: {
    id?: string;
    email: string;
    name: string;
    twoFactorEnabled?: boolean;
    emailVerified?: boolean;
  } | null = null;
  /** Where that person is signed in; the first of them is this browser. */
  sessions = [aSession()];
  /** What opens the account of that person. */
  signInMethods = ['credential'];
  unexpectedRequests: string[] = [];
  #handlers = new Map<string, ShopHandler>();
  #requests: { target: string; request: ShopRequest }[] = [];

  /** Back to the beginning: nobody is signed in, and only the identity service answers. */
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
    this.answer(readProductFacets, { kinds: [], fits: [] });
    this.answer(exchangeIdentity, { acknowledged: true, token: 'a-new-token', expiresIn: 900 });
    this.respond(logout, () => new Response(null, { status: 204 }));
  }

  /** Somebody is signed in on this browser, as a page that is loaded finds it. */
  signIn(role: Role = 'user', user = aUser({ role })): void {
    localStorage.setItem('accessToken', 'a-token');
    this.identityUser = { id: `account-${user._id}`, email: user.email, name: user.name };
    this.answer(readUser, user);
  }

  /** Answers a call with success. */
  answer<C extends Call>(
    call: C,
    answer: Parsed<C['answer']>,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    this.respond(call, () => Response.json(answer, { headers }));
  }

  /** Answers a list with one page. @param next the cursor of the page after it; none on the last page */
  answerPage<C extends Call>(call: C, answer: Parsed<C['answer']>, total: string, next?: string): void {
    const link = next === undefined ? {} : { link: `<${call.path}?after=${next}>; rel="next"` };
    this.answer(call, answer, { 'x-total-count': total, ...link });
  }

  refuse(target: Target, code: ProblemCode, extras?: RefusalExtras): void {
    this.respond(target, () => createRefusal(code, extras));
  }

  /** The identity service refuses a call, in its own words and with its own code. */
  refuseIdentity(target: Target, status: number, message: string, code: string): void {
    this.respond(target, () => Response.json({ message, code }, { status }));
  }

  /** The identity service takes a password, a code or a registration, and gives its person a session. */
  letIn(
    { email, name } = aUser(),
    target: `POST /identity/${string}` = 'POST /identity/sign-in/email',
  ): void {
    this.respond(target, () => {
      this.identityUser = { email, name };
      return Response.json({ user: this.identityUser });
    });
  }

  /** The connection is lost before an answer to the call arrives. */
  disconnect(target: Target): void {
    this.respond(target, () => Promise.reject(new TypeError('Failed to fetch')));
  }

  /** Lets requests of a call wait until the function that it gives is called; then they are answered as before. */
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

  /** What was asked of a call, in order. */
  getRequests(target: Target): ShopRequest[] {
    return this.#requests.filter((each) => each.target === nameTarget(target)).map(({ request }) => request);
  }

  /** The body of the only request that a call got. */
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
      return handler(request);
    }
    this.unexpectedRequests.push(`${method} ${address}`);
    return createRefusal('internal');
  }
}

export interface RefusalExtras extends Partial<ProblemBody> {
  /** seconds */
  retryAfter?: number;
}

/** A refusal as the shop answers it. */
export function createRefusal(code: ProblemCode, { retryAfter, ...extras }: RefusalExtras = {}): Response {
  const { status, title } = problems[code];
  return Response.json(
    { type: problemType(code), title, status, detail: title, ...extras },
    { status, headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) } },
  );
}

const nameTarget = (target: Target): string =>
  typeof target === 'string' ? target : `${target.method} ${target.path}`;

/** The values of the target's `:names` when it is what was asked for; else null. */
function matchTarget(target: string, method: string, pathname: string): Record<string, string> | null {
  const pattern = new RegExp(`^${target.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
  const match = pattern.exec(`${method} ${pathname}`);
  if (!match) return null;
  const params = Object.entries(match.groups ?? {});
  return Object.fromEntries(params.map(([name, value]) => [name, decodeURIComponent(value)]));
}
