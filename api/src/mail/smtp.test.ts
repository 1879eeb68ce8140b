import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '#test/listen.ts';
import { startMailServer } from '#test/mail-server.ts';
import { prepared } from '#test/use-shop.ts';
import { openMailServer } from './smtp.ts';

const server = prepared(startMailServer, (s) => s.close());

const from = { name: 'Parts Forge', address: 'shop@partsforge.example' };
const mail = {
  messageId: '<1@partsforge.example>',
  to: { name: 'Amara', address: 'amara@fieldrepair.example' },
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
};

test('a silent server delays a mail by its timeout at most', async () => {
  server.mood = 'silent';
  const sending = openMailServer({ url: server.url, from }, 300).send(mail, new AbortController().signal);
  await expect(sending).rejects.toMatchObject({ reason: 'ETIMEDOUT', isFinal: false });
});

test('a running mail is cut when the shop closes', async () => {
  server.mood = 'silent';
  const cutting = new AbortController();
  const sending = openMailServer({ url: server.url, from }).send(mail, cutting.signal);
  cutting.abort();
  await expect(sending).rejects.toMatchObject({ isFinal: false });
});

/** A server with login but without TLS. @returns its port and the received lines */
async function startPlainServer() {
  const said: string[] = [];
  const plain = createServer((socket) => {
    socket.write('220 mail\r\n');
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const line = String(bytes).trim();
      said.push(line);
      socket.write(line.startsWith('EHLO') ? '250-mail\r\n250 AUTH PLAIN\r\n' : '535 no\r\n');
    });
  });
  return { plain, said, port: await listen(plain) };
}

test('another machine gets no mail without TLS', async () => {
  const { plain, said, port } = await startPlainServer();
  const server = openMailServer({ url: `smtp://[::ffff:127.0.0.1]:${port}`, from });
  const sending = server.send(mail, new AbortController().signal);
  await expect(sending).rejects.toMatchObject({ isFinal: false });
  expect(said.length).toBeGreaterThan(0);
  expect(said.filter((line) => line.startsWith('MAIL'))).toEqual([]);
  plain.close();
});

test('another machine gets no password without TLS', async () => {
  const { plain, said, port } = await startPlainServer();
  const send = (host: string) =>
    openMailServer({ url: `smtp://shop:secret@${host}:${port}`, from }).send(
      mail,
      new AbortController().signal,
    );
  // The same machine, by an address that does not look local.
  await expect(send('[::ffff:127.0.0.1]')).rejects.toMatchObject({ isFinal: false });
  expect(said.length).toBeGreaterThan(0);
  expect(said.filter((line) => line.startsWith('AUTH'))).toEqual([]);
  await expect(send('127.0.0.1')).rejects.toThrow();
  expect(said.filter((line) => line.startsWith('AUTH'))).toHaveLength(1);
  plain.close();
});
