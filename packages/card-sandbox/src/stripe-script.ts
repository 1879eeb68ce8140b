import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

export const SCRIPT_PATH = '/sandbox/stripe/stripe.js';

/** Each imports only earlier ones. */
const modules = [
  'card-rules.js',
  'appearance.js',
  'card-frame.js',
  'card-fields.js',
  'elements.js',
  'sandbox-client.js',
  'challenge-dialog.js',
  'stripe.js',
];

/**
 * One classic script, because `window.Stripe` must exist as soon as it has loaded. Type check and tests use
 * its modules.
 */
export async function registerStripeScript(app: FastifyInstance): Promise<void> {
  const sources = await Promise.all(
    modules.map((name) => readFile(new URL(`./browser/${name}`, import.meta.url), 'utf8')),
  );
  const script = bundle(sources);
  const etag = `"${createHash('sha256').update(script).digest('base64url').slice(0, 22)}"`;

  app.get(SCRIPT_PATH, async (request, reply) => {
    reply.header('cache-control', 'no-cache').header('etag', etag);
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.type('text/javascript; charset=utf-8').send(script);
  });
}

function bundle(sources: readonly string[]): string {
  const bodies = sources.map((source) =>
    source
      .replaceAll(/^import [^;]*;\n/gm, '')
      .replaceAll(/^export (?=(?:async )?(?:function|const|class)\b)/gm, ''),
  );
  return `(() => {\n'use strict';\n${bodies.join('\n')}\n})();\n`;
}
