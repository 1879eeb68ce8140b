import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Program, startProgram, waitFor } from '../../api/test/programs.ts';
import { runProgram, WATCHER } from './postgres-pair.ts';

export interface BalancerPlan {
  folder: string;
  haproxy: string;
  ports: { shops: number; database: number };
  shops: readonly number[];
  databases: readonly number[];
}

export interface Balancer {
  program: Program;
  /** @throws Error after a minute */
  waitUntilUp(backend: 'shops' | 'database', count: number): Promise<void>;
}

/** For the shops, and for the database, where it detects the primary. */
export async function startBalancer(plan: BalancerPlan): Promise<Balancer> {
  const { folder, haproxy } = plan;
  const socket = join(folder, 'haproxy.sock');
  const file = join(folder, 'haproxy.cfg');
  const logFile = join(folder, 'haproxy.log');
  writeFileSync(file, describeBalancer(plan, socket));
  await runProgram(haproxy, ['-c', '-f', file], { logFile });
  const program = startProgram(haproxy, ['-db', '-f', file], { logFile });
  const isUp = async (backend: string, count: number) => {
    const lines = (await ask(socket, 'show stat')).split('\n').map((line) => line.split(','));
    const up = lines.filter(
      ([name, server = '', ...rest]) =>
        name === backend && !/^(FRONT|BACK)END$/.test(server) && /^UP/.test(rest[15] ?? ''),
    );
    return up.length === count;
  };
  return {
    program,
    waitUntilUp: (backend, count) =>
      waitFor(`${count} of ${backend}`, () => isUp(backend, count).catch(() => false)),
  };
}

/**
 * Retries requests on a broken connection, except a POST without a key. When no shop is ready, live ones get
 * the requests and serve cached data.
 * The primary is the database server that is not in recovery.
 */
const describeBalancer = ({ ports, shops, databases }: BalancerPlan, socket: string): string => `
global
  stats socket ${socket} mode 600 level user
defaults
  timeout connect 2s
  timeout check 2s
  timeout queue 5s
frontend visitors
  mode http
  timeout client 30s
  timeout http-keep-alive 10s
  option forwardfor
  bind 127.0.0.1:${ports.shops}
  use_backend living if { nbsrv(shops) eq 0 }
  default_backend shops
backend shops
  mode http
  timeout server 30s
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
  retries 3
  option redispatch 1
  retry-on conn-failure empty-response
  http-request disable-l7-retry if METH_POST !{ req.hdr(idempotency-key) -m found }
  default-server inter 500ms fall 2 rise 1
${shops.map((port, index) => `  server shop${index + 1} 127.0.0.1:${port} check`).join('\n')}
backend living
  mode http
  timeout server 30s
  balance roundrobin
  option httpchk GET /healthz
  default-server inter 500ms fall 2 rise 1
${shops.map((port, index) => `  server shop${index + 1} 127.0.0.1:${port} check`).join('\n')}
listen database
  mode tcp
  timeout client 1h
  timeout server 1h
  bind 127.0.0.1:${ports.database}
  option tcp-check
  tcp-check connect
  tcp-check send-binary ${startupMessage()}
  tcp-check expect binary 5a0000000549
  tcp-check send-binary ${queryMessage('select pg_is_in_recovery()')}
  tcp-check expect binary 440000000b00010000000166
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${databases.map((port, index) => `  server database${index + 1} 127.0.0.1:${port} check`).join('\n')}
`;

/** Length, version 3.0, user. */
function startupMessage(): string {
  const body = Buffer.from(`\0\x03\0\0user\0${WATCHER}\0database\0postgres\0\0`, 'latin1');
  return withLength(body).toString('hex');
}

const queryMessage = (query: string): string =>
  Buffer.concat([Buffer.from('Q'), withLength(Buffer.from(`${query}\0`))]).toString('hex');

function withLength(body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}

async function ask(socket: string, command: string): Promise<string> {
  const connection = connect(socket);
  connection.end(`${command}\n`);
  return text(connection);
}
