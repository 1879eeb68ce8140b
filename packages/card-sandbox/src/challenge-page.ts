import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { BrowserFaceNeeds } from './browser-api.ts';
import { answerChallenge, challengeOf } from './confirm-intent.ts';
import { readForm, textOf } from './form-encoding.ts';
import { findObject } from './object-store.ts';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 26rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.25rem; }
button { min-height: 3rem; padding: 0 1.25rem; margin-right: 0.5rem; font: inherit; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** The page needs no script, and no style but its own; the shop alone may frame it. */
const CSP = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'self'; base-uri 'none'`;

/**
 * Where the customer's bank would ask for a password. The stand-in script shows it in a frame; whoever has its
 * unguessable address may answer.
 */
export async function challengePages(app: FastifyInstance, needs: BrowserFaceNeeds): Promise<void> {
  const { db, clock } = needs;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1024 },
    (_request, body, done) => done(null, body),
  );

  app.get<{ Params: { id: string } }>('/sandbox/stripe/challenge/:id', async (request, reply) => {
    const challenge = await findObject(db, 'challenge', request.params.id);
    const intent = challenge && (await findObject(db, 'payment_intent', challenge.intentId));
    if (!intent) return send(reply.code(404), page('There is no such question.'));
    const isOpen = intent.status === 'requires_action' && challengeOf(intent) === request.params.id;
    if (!isOpen) return send(reply, page('This question is closed. You can go back to the shop.'));
    return send(reply, page(question(intent.amount)));
  });

  app.post<{ Params: { id: string } }>('/sandbox/stripe/challenge/:id', async (request, reply) => {
    const form = readForm(typeof request.body === 'string' ? request.body : '');
    const authorized = textOf(form, 'answer') === 'authorize';
    const intent = await db.transaction((tx) =>
      answerChallenge({ tx, now: clock.now() }, request.params.id, authorized),
    );
    needs.onChange();
    if (!intent) return send(reply.code(404), page('There is no such question.'));
    return send(reply, page('Thank you. You can go back to the shop.'));
  });
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

const question = (cents: number) => `<h1>3D Secure 2 Test Page</h1>
<p>The sandbox's bank asks: do you want to pay ${dollars.format(cents / 100)}? No money moves.</p>
<form method="post">
<p><button type="submit" name="answer" value="authorize" id="test-source-authorize-3ds">Complete</button>
<button type="submit" name="answer" value="fail" id="test-source-fail-3ds">Fail</button></p>
</form>`;

const page = (content: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Bank challenge of the sandbox</title>
<style>${style}</style></head>
<body><main aria-label="Question of the bank">${content}</main></body></html>`;

const send = (reply: FastifyReply, html: string) =>
  reply
    .header('content-security-policy', CSP)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html);
