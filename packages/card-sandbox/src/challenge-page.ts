import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { answerChallenge, findChallengeId } from './confirm-intent.ts';
import type { Dependencies } from './dependencies.ts';
import { acceptForms, readFormBody } from './form-body.ts';
import { findObject } from './object-store.ts';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 26rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.25rem; }
button { min-height: 3rem; padding: 0 1.25rem; margin-right: 0.5rem; font: inherit; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** Only the merchant's pages may frame the page. */
const CSP = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'self'; base-uri 'none'`;

const MAX_FORM_BYTES = 1024;

/** Its unguessable address is enough to answer. */
export function registerChallengePage(app: FastifyInstance, dependencies: Dependencies): void {
  const { db, clock } = dependencies;
  acceptForms(app, MAX_FORM_BYTES);

  app.get<{ Params: { id: string } }>('/sandbox/stripe/challenge/:id', async (request, reply) => {
    const challenge = await findObject(db, 'challenge', request.params.id);
    const intent = challenge && (await findObject(db, 'payment_intent', challenge.intentId));
    if (!intent) return sendPage(reply.code(404), 'There is no such question.');
    const isOpen = intent.status === 'requires_action' && findChallengeId(intent) === request.params.id;
    if (!isOpen) return sendPage(reply, 'This question is closed. You can go back to the shop.');
    return sendPage(reply, renderQuestion(dependencies.money.format(intent.amount)));
  });

  app.post<{ Params: { id: string } }>('/sandbox/stripe/challenge/:id', async (request, reply) => {
    const isAuthorized = new URLSearchParams(readFormBody(request)).get('answer') === 'authorize';
    const intent = await db.transaction((tx) =>
      answerChallenge({ tx, now: clock.now() }, request.params.id, isAuthorized),
    );
    dependencies.wakeDeliveries();
    if (!intent) return sendPage(reply.code(404), 'There is no such question.');
    return sendPage(reply, 'Thank you. You can go back to the shop.');
  });
}

/** Stripe's ids, so the same browser tests cover both. */
const renderQuestion = (amount: string) => `<h1>3D Secure 2 Test Page</h1>
<p>The sandbox's bank asks: do you want to pay ${amount}? No money moves.</p>
<form method="post">
<p><button type="submit" name="answer" value="authorize" id="test-source-authorize-3ds">Complete</button>
<button type="submit" name="answer" value="fail" id="test-source-fail-3ds">Fail</button></p>
</form>`;

const renderPage = (content: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Bank challenge of the sandbox</title>
<style>${style}</style></head>
<body><main aria-label="Question of the bank">${content}</main></body></html>`;

const sendPage = (reply: FastifyReply, content: string) =>
  reply
    .header('content-security-policy', CSP)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(renderPage(content));
