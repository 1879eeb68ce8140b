import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { listen } from '#test/listen.ts';
import { type Posting, postEvent, requirePublicAddress } from './post-event.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** @returns port and connections */
async function receive(answer: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    answer(socket);
  });
  const port = await listen(server);
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port, sockets };
}

const posting = (url: string, more: Partial<Posting> = {}): Posting => ({
  url,
  secrets: [`whsec_${'A'.repeat(43)}=`],
  id: 'x',
  now: new Date(),
  body: '{}',
  hosts: ['127.0.0.1'],
  ...more,
});
/** Writes as fast as it is read. */
const flood = (socket: Socket, text: string) => {
  const write = () => {
    while (socket.write(text));
  };
  socket.on('drain', write);
  write();
};

describe('an attempt', () => {
  test('ends at the headers of an endless body', async () => {
    const { port, sockets } = await receive((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n');
        flood(socket, `1000\r\n${'x'.repeat(4096)}\r\n`);
      });
    });
    const answer = await postEvent(posting(`http://127.0.0.1:${port}/`));
    expect(answer).toMatchObject({ answer: '200' });
    await new Promise((resolve) => sockets[0]?.once('close', resolve));
  });

  test.each([
    ['silence', () => {}],
    ['slow headers', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nx: ')],
    ['endless interim answers', (socket: Socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('ends after its time at %s', async (_, answer) => {
    const { port } = await receive(answer);
    const ended = await postEvent(posting(`http://127.0.0.1:${port}/`, { timeoutMs: 100 }));
    expect(ended).toMatchObject({ answer: 'TIMEOUT' });
  });

  test('ends at the eleventh interim answer', async () => {
    const { port } = await receive((socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(11)));
    const { answer } = await postEvent(posting(`http://127.0.0.1:${port}/`, { timeoutMs: 5_000 }));
    expect(answer).toBe('FAILED');
  });

  test('ends at endless headers', async () => {
    const { port } = await receive((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, `x: ${'y'.repeat(1000)}\r\n`);
    });
    expect(await postEvent(posting(`http://127.0.0.1:${port}/`))).toMatchObject({
      answer: 'HPE_HEADER_OVERFLOW',
    });
  });

  test.each([
    ['SSH-2.0-OpenSSH\r\n', /^HPE_/],
    [
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      /^(101|FAILED|ECONNRESET)$/,
    ],
    ['', /^ECONNRESET$/],
  ])('fails at the answer %j', async (text, reason) => {
    const { port } = await receive((socket) => socket.end(text));
    expect((await postEvent(posting(`http://127.0.0.1:${port}/`))).answer).toMatch(reason);
  });

  test('needs TLS that is valid', async () => {
    const { port } = await receive((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect((await postEvent(posting(`https://127.0.0.1:${port}/`))).answer).toMatch(/SSL|EPROTO/);
  });

  test.each([
    '10.0.0.1',
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '169.254.169.254',
    'fd00::1',
    '::7f00:1',
    '::',
  ])('opens no connection to a name that resolves to %s', async (address) => {
    const { port, sockets } = await receive((socket) => socket.end());
    const resolve = async () => [address];
    const answer = await postEvent(posting(`https://erp.example:${port}/`, { resolve }));
    expect(answer).toMatchObject({ answer: 'PRIVATE_ADDRESS' });
    expect(sockets).toEqual([]);
  });

  test('needs https when the setting lost the host', async () => {
    const { port, sockets } = await receive((socket) => socket.end());
    const resolve = async () => ['93.184.215.14'];
    const answer = await postEvent(posting(`http://erp.example:${port}/`, { resolve }));
    expect([answer.answer, sockets]).toEqual(['PRIVATE_ADDRESS', []]);
  });

  test('needs the port that the setting names', async () => {
    const { port, sockets } = await receive((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    const url = `http://127.0.0.1:${port}/`;
    const free = await postEvent(posting(url, { hosts: [`127.0.0.1:${port}`] }));
    const other = await postEvent(posting(url, { hosts: ['127.0.0.1:1'] }));
    expect([free.answer, other.answer, sockets.length]).toEqual(['200', 'PRIVATE_ADDRESS', 1]);
  });

  test('says that a name is unknown', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
    const answer = await postEvent(posting('https://erp.example/', { resolve }));
    expect(answer).toMatchObject({ answer: 'ENOTFOUND' });
  });

  test('ends when the shop closes', async () => {
    const shop = new AbortController();
    const { port, sockets } = await receive(() => shop.abort());
    const { answer } = await postEvent(posting(`http://127.0.0.1:${port}/`, { signal: shop.signal }));
    expect([answer, sockets.length]).toEqual(['ABORT_ERR', 1]);
  });
});

describe('the name of a new webhook', () => {
  const judge = (resolve: () => Promise<string[]>) =>
    requirePublicAddress('https://erp.example/', ['erp.internal'], resolve);

  test.each([[['10.0.0.1']], [['169.254.169.254', 'fd00:ec2::254']]])(
    'is refused when it resolves to %s',
    async (found) => {
      await expect(judge(async () => found)).rejects.toMatchObject({
        code: 'invalid',
        extras: { errors: [{ path: 'url', message: 'Must not be an address of a private network' }] },
      });
    },
  );

  test('passes with a public address, or while it does not resolve', async () => {
    expect(await judge(async () => ['10.0.0.1', '93.184.215.14'])).toBe('https://erp.example/');
    expect(await judge(() => Promise.reject(new Error('ENOTFOUND')))).toBe('https://erp.example/');
  });

  test('is not looked up when the setting frees it', async () => {
    const url = 'http://erp.internal/';
    const resolve = () => Promise.reject(new Error('looked up'));
    expect(await requirePublicAddress(url, ['erp.internal'], resolve)).toBe(url);
  });
});
