import { randomUUID } from 'node:crypto';

/** Longer requests count as hung. */
export const HANG_MS = 20_000;

export interface Answer {
  /** 0: no connection, so the outcome is unknown. */
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked at field by field.
  body: any;
  headers: Headers;
}

export interface Traffic {
  requests: number;
  hung: string[];
  /** By call and status (0, 502, 503, 504). */
  refused: Map<string, number>;
}

/** The session renews expired tokens. */
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
  /** The card sandbox expects form data. */
  confirmCard(clientSecret: string): Promise<Answer>;
  /** @throws Error when refused */
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
