import { randomUUID } from 'node:crypto';

/** No answer of the shop may take longer, whatever happens to it; then the request hangs. */
export const HANG_MS = 20_000;

export interface Answer {
  /** 0: the connection was refused or broke, so nobody knows whether the call was carried out. */
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked at field by field.
  body: any;
  headers: Headers;
}

/** What was sent, and what never came back. */
export interface Traffic {
  requests: number;
  /** The call of each request that got neither answer nor end within twenty seconds. */
  hung: string[];
  /** Requests that got no answer, or one that the shop cannot serve now (0, 502, 503, 504), by call and status. */
  refused: Map<string, number>;
}

/** Somebody with an account at the shop; the token is renewed by their session when it has run out. */
export interface Person {
  email: string;
  name: string;
  cookie: string;
  token: string;
}

export interface Calls {
  traffic: Traffic;
  call(
    method: string,
    path: string,
    given?: { person?: Person; body?: unknown; key?: string },
  ): Promise<Answer>;
  /** What the card form does: the card sandbox takes a form, not JSON. */
  confirmCard(clientSecret: string): Promise<Answer>;
  /** Registers somebody, or signs somebody in. @throws Error when that is refused */
  signIn(given: { email: string; password: string; isNew: boolean }): Promise<Person>;
}

export function createCalls(url: string): Calls {
  const { traffic, send, sendJson } = createSender(url);

  async function renewToken(person: Person): Promise<void> {
    const session = await sendJson('GET', '/identity/token', { origin: url, cookie: person.cookie });
    if (session.status !== 200) return;
    const { email, name } = person;
    const path = `/user/${encodeURIComponent(email)}`;
    const headers = { authorization: `Bearer ${session.body.token}` };
    const exchanged = await sendJson('PUT', path, headers, { email, name });
    if (exchanged.status === 200) person.token = exchanged.body.token;
  }

  return {
    traffic,
    async call(method, path, { person, body, key } = {}) {
      const ask = () => {
        const authorization = person && { authorization: `Bearer ${person.token}` };
        const once = key !== undefined && { 'idempotency-key': key };
        return sendJson(method, path, { ...authorization, ...once }, body);
      };
      const answer = await ask();
      if (answer.status !== 401 || !person) return answer;
      await renewToken(person);
      return ask();
    },
    confirmCard(clientSecret) {
      const intent = clientSecret.replace(/_secret_.*$/, '');
      const body = new URLSearchParams({
        key: 'pk_test_sandbox',
        client_secret: clientSecret,
        payment_method: 'pm_card_visa',
      });
      const path = `/sandbox/stripe/v1/payment_intents/${intent}/confirm`;
      return send('confirm a card', path, { method: 'POST', body });
    },
    async signIn({ email, password, isNew }) {
      const name = 'Amara Okafor';
      const path = `/identity/sign-${isNew ? 'up' : 'in'}/email`;
      const body = { email, password, ...(isNew && { name }) };
      const answer = await sendJson('POST', path, { origin: url }, body);
      const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
      const person = { email, name, cookie: cookies.join('; '), token: '' };
      await renewToken(person);
      if (person.token === '') throw new Error(`${email} cannot sign in: ${answer.status}`);
      return person;
    },
  };
}

/** Sends requests and counts what becomes of them. */
function createSender(url: string) {
  const traffic: Traffic = { requests: 0, hung: [], refused: new Map() };
  const noteRefusal = (name: string, status: number) => {
    const what = `${name} → ${status}`;
    traffic.refused.set(what, (traffic.refused.get(what) ?? 0) + 1);
  };

  async function send(name: string, path: string, init: RequestInit): Promise<Answer> {
    traffic.requests += 1;
    try {
      const response = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(HANG_MS) });
      const text = await response.text();
      if ([502, 503, 504].includes(response.status)) noteRefusal(name, response.status);
      return { status: response.status, body: parse(text), headers: response.headers };
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') traffic.hung.push(name);
      noteRefusal(name, 0);
      return { status: 0, body: null, headers: new Headers() };
    }
  }

  const sendJson = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    send(`${method} ${path.replace(/[0-9a-f-]{36}/g, '{id}')}`, path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return { traffic, send, sendJson };
}

export const newEmail = () => `${randomUUID()}@torture.example`;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
