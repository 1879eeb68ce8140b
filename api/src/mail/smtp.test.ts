import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMailServer, type TestMailServer } from '#test/mail-server.ts';
import { openMailServer } from './smtp.ts';

let server: TestMailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

const from = { name: 'Parts Forge', address: 'shop@partsforge.example' };
const mail = {
  messageId: '<1@partsforge.example>',
  to: { name: 'Amara', address: 'amara@fieldrepair.example' },
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
};

test('a server that says nothing holds a mail up for its time and no longer', async () => {
  server.mood = 'silent';
  const sending = openMailServer({ url: server.url, from }, 300).send(mail, new AbortController().signal);
  await expect(sending).rejects.toMatchObject({ reason: 'ETIMEDOUT', isFinal: false });
});

test('a mail under way is cut off when the shop cannot wait for it any longer', async () => {
  server.mood = 'silent';
  const cutting = new AbortController();
  const sending = openMailServer({ url: server.url, from }).send(mail, cutting.signal);
  cutting.abort();
  await expect(sending).rejects.toMatchObject({ isFinal: false });
});

test('a password is given to no other machine without TLS', async () => {
  const url = server.url.replace('smtp://127.0.0.1', 'smtp://shop:secret@mail.invalid');
  await expect(openMailServer({ url, from }).send(mail, new AbortController().signal)).rejects.toMatchObject({
    isFinal: false,
  });
});
