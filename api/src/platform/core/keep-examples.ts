import { executionAsyncResource } from 'node:async_hooks';
import { Socket } from 'node:net';

// As in `http/node-http.ts`.
const { IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http');

const examples: unknown[] = [];

/**
 * Keeps one object of each kind that Node creates for every request, so that V8 does not drop their shapes. For a
 * process that is about to serve, before anything else; may be repeated.
 *
 * V8 holds the shapes of objects weakly: it drops them when it collects garbage while there is no such object. If that
 * happens before the seventh request, all later requests and responses are hash tables instead of structs; if between
 * two of the first tasks for `process.nextTick`, creating one takes six times as long. Either lasts until the process
 * ends, and costs a tenth of the cached reads (`bench/notes/2026-11-23-serving.md`).
 *
 * Delete this when processes of a new major version of Node read as fast without it. No test holds it, as one would
 * assert V8 and not the shop.
 */
export function keepExamples(): void {
  examples.push(new ServerResponse(new IncomingMessage(new Socket())));
  process.nextTick(() => examples.push(executionAsyncResource()));
}
