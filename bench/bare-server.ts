import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer to give whatever is asked. */
export interface BareAnswer {
  status: number;
  /** Names and values in turn, as they stood on the wire. */
  headers: string[];
  /** Base64. */
  body: string;
}

// The yardstick of the reads: Node's own HTTP server and nothing else. Is told its answer, tells its port, and ends
// with the process that started it.
process.once('message', ({ status, headers, body }: BareAnswer) => {
  const bytes = Buffer.from(body, 'base64');
  const server = createServer((_request, response) => {
    response.writeHead(status, headers);
    response.end(bytes);
  });
  // As the shop's server has it, because the number stands in the answer.
  server.keepAliveTimeout = 72_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.on('disconnect', () => process.exit());
