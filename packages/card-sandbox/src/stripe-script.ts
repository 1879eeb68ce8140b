import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

export const SCRIPT_PATH = '/sandbox/stripe/stripe.js';

/** The stand-in's sources in the order of their needs: each uses the ones before it. */
const parts = [
  'card-rules.js',
  'appearance.js',
  'card-fields.js',
  'elements.js',
  'provider-calls.js',
  'challenge-dialog.js',
  'stripe.js',
];

/**
 * The script that stands in for Stripe's own. Its parts are modules for the type check and the tests; a page
 * gets them joined into one plain script, as `window.Stripe` must be there when the script has loaded.
 */
export async function browserScript(app: FastifyInstance): Promise<void> {
  const sources = await Promise.all(
    parts.map((part) => readFile(new URL(`./browser/${part}`, import.meta.url), 'utf8')),
  );
  const script = joined(sources);
  const etag = `"${createHash('sha256').update(script).digest('base64url').slice(0, 22)}"`;

  app.get(SCRIPT_PATH, async (request, reply) => {
    reply.header('cache-control', 'no-cache').header('etag', etag);
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.type('text/javascript; charset=utf-8').send(script);
  });
}

/** One script of several modules: without their imports and exports, in a scope of its own. */
export function joined(sources: readonly string[]): string {
  const bodies = sources.map((source) =>
    source
      .replaceAll(/^import [^;]*;\n/gm, '')
      .replaceAll(/^export (?=(?:async )?(?:function|const|class)\b)/gm, ''),
  );
  return `(() => {\n'use strict';\n${bodies.join('\n')}\n})();\n`;
}
