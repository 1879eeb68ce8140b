import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ShopEvent } from '@parts-forge/contract/events/events';
import { onTestFinished } from 'vitest';
import { listen } from './listen.ts';

export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  data: ShopEvent;
}
/** Answers 200 unless the test says else. */
export interface Receiver {
  url: string;
  received: Received[];
  connections: number;
  answer: (response: ServerResponse, request: Received) => unknown;
}

/** Closes after the test. */
export async function aReceiver(
  answer: Receiver['answer'] = (response) => response.end('ok'),
): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      const { headers } = request;
      const received = { id: String(headers['webhook-id']), headers, body, data: JSON.parse(body).data };
      receiver.received.push(received);
      receiver.answer(response, received);
    });
  });
  server.on('connection', (socket) => {
    receiver.connections += 1;
    sockets.add(socket);
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${await listen(server)}/hooks`,
    received: [],
    connections: 0,
    answer,
  };
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return receiver;
}
