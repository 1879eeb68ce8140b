import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BareAnswer {
  status: number;
  /** Alternating names and values, as sent. */
  headers: string[];
  body: string;
}

// Yardstick of the reads: Node's HTTP server alone. Ends with its parent.
process.once('message', ({ status, headers, body }: BareAnswer) => {
  const bytes = Buffer.from(body, 'base64');
  const server = createServer((_request, response) => {
    response.writeHead(status, headers);
    response.end(bytes);
  });
  // As in the shop, because the number is in a header.
  server.keepAliveTimeout = 72_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.on('disconnect', () => process.exit());
