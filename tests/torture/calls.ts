import { randomUUID } from 'node:crypto';
import { openSession } from '../../api/test/open-session.ts';

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

/** Signs in again when the token has expired. */
export interface Person {
  email: string;
  name: string;
  password: string;
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
      person.token = await openSession(url, { ...person, isNew: false }).catch(() => person.token);
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
      const person = { email, password, name: 'Amara Okafor' };
      return { ...person, token: await openSession(url, { ...person, isNew }) };
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
