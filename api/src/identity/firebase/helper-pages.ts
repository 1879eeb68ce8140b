import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { GoogleUnavailable } from './ask-google.ts';

const TIMEOUT_MS = 5_000;
/** Firebase's largest script has some 100 KB. */
const MAX_LENGTH = 1024 * 1024;

/** Google's own scripts run in these pages, and our pages frame one of them. */
const contentPolicy = "frame-ancestors 'self'; base-uri 'none'; object-src 'none'";

/**
 * Firebase's sign-in pages under the shop's own address: browsers deny storage to frames of another site.
 * Nothing of the request but its path and query goes to Google.
 * @param upstream whose `/auth/handler` is the popup's page, without a trailing slash
 * @see https://firebase.google.com/docs/auth/web/redirect-best-practices, "Proxy auth requests"
 */
export function serveHelperPages(app: FastifyInstance, upstream: string): void {
  for (const path of ['/__/auth/:file(^\\w[\\w.-]*$)', '/__/firebase/init.json']) {
    app.get(path, async ({ url }, reply) => {
      const { type, text } = await fetchPage(upstream + url.slice('/__'.length));
      return reply.headers({ 'content-security-policy': contentPolicy, 'content-type': type }).send(text);
    });
  }
}

/** @throws Problem `not-found`; GoogleUnavailable */
async function fetchPage(address: string): Promise<{ type: string; text: string }> {
  try {
    const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.status === 404) throw new Problem('not-found');
    const text = await answer.text();
    if (!answer.ok || text.length > MAX_LENGTH) {
      throw new Error(`${address} answered ${answer.status} with ${text.length} characters.`);
    }
    return { type: answer.headers.get('content-type') ?? 'text/plain', text };
  } catch (error) {
    throw error instanceof Problem ? error : new GoogleUnavailable(error);
  }
}
