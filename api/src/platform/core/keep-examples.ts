import { executionAsyncResource } from 'node:async_hooks';
import { Socket } from 'node:net';

// As in `http/node-http.ts`.
const { IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http');

const examples: unknown[] = [];

/**
 * Keeps one object of each kind that Node makes for every request, so that V8 cannot forget what they look like
 * (docs/decisions/0097). For a process that is about to serve, before anything else; may be repeated.
 *
 * V8 holds the shapes of objects weakly: it forgets them when it collects garbage while there is no such object. If that
 * happens before the seventh request, all later requests and responses are hash tables instead of structs; if between
 * two of the first tasks for `process.nextTick`, making one takes six times as long. Either lasts until the process ends.
 */
export function keepExamples(): void {
  examples.push(new ServerResponse(new IncomingMessage(new Socket())));
  process.nextTick(() => examples.push(executionAsyncResource()));
}
