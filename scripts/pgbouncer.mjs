import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ended, startChild } from './child-processes.mjs';
import { freePort } from './free-port.mjs';
import { ensureProgram } from './installed-programs.mjs';

/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;

/**
 * In transaction mode; refuses unknown start-up parameters. As root it installs Debian's package if
 * missing.
 * @param {URL} server with user and password
 * @returns `undefined` when not installed
 */
export async function startPgbouncer(server) {
  const program = await ensureProgram('pgbouncer');
  if (!program) return undefined;
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const folder = mkdtempSync(join(tmpdir(), 'parts-forge-pgbouncer-'));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, describe(server, port), { mode: 0o600 });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [folder, file]) chownSync(path, NOBODY, NOBODY);
  chmodSync(folder, 0o700);
  const child = startChild(program, ['--quiet', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  const hasEnded = ended(child);
  while (child.exitCode === null && !(await answers(port))) await wait(20);
  const address = new URL(server);
  address.host = `127.0.0.1:${port}`;
  return {
    url: address.href,
    version: version.split('\n')[0],
    async stop() {
      child.kill('SIGTERM');
      await hasEnded;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const describe = ({ hostname, port, username, password }, ownPort) => `[databases]
* = host=${hostname} port=${port} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 20
server_idle_timeout = 5
log_connections = 0
log_disconnections = 0
log_pooler_errors = 0
`;

async function answers(port) {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
