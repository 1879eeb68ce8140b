import { request } from 'node:http';
import type { TestShop } from './start-shop.ts';

interface ReceivedEvent {
  name: string;
  data: { _id: string; quantity?: number; price?: number };
}

export interface EventReader {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  events: ReceivedEvent[];
  /** Raw text; a refusal's body. */
  received: () => string;
  /** When the shop ends the response or the connection breaks. */
  ended: Promise<void>;
  /** Keeps the connection. */
  stopReading: () => void;
  leave: () => void;
}

const BLOCK = /event: (\w+)\ndata: (.*)\n\n/g;

/** Resolves once the response has begun. */
export function openEvents(
  shop: TestShop,
  path: string,
  { from, method = 'GET' }: { from?: string; method?: string } = {},
): Promise<EventReader> {
  return new Promise((resolve, reject) => {
    const asked = request(shop.url + path, { method, agent: false, ...(from && { localAddress: from }) });
    asked.once('error', reject);
    asked.once('response', (response) => {
      let received = '';
      let read = 0;
      const events: ReceivedEvent[] = [];
      // A connection cut by the shop is an error here.
      response.on('error', () => {});
      asked.off('error', reject).on('error', () => {});
      const ended = new Promise<void>((end) => response.once('close', () => end()));
      response.setEncoding('utf8').on('data', (text: string) => {
        received += text;
        for (const match of received.slice(read).matchAll(BLOCK)) {
          const [, name = '', data = '{}'] = match;
          events.push({ name, data: JSON.parse(data) });
        }
        read = received.lastIndexOf('\n\n') + 2;
      });
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        events,
        received: () => received,
        ended,
        stopReading: () => response.pause(),
        leave: () => void asked.destroy(),
      });
    });
    asked.end();
  });
}
