import { executionAsyncResource } from 'node:async_hooks';
import { Socket } from 'node:net';

// For the reason in `http/node-http.ts`.
const { IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http');

const examples: unknown[] = [];

/**
 * Keeps one object of each kind that Node creates per request, so that V8 does not drop their shapes.
 * Call it before serving; safe to repeat.
 *
 * V8 holds object shapes weakly: garbage collection drops a shape that no object has. After that,
 * requests and responses are hash tables instead of structs, or a task for `process.nextTick` takes six
 * times as long to create. The state lasts until the process ends and slows cached reads by a tenth
 * (`bench/notes/2026-11-23-serving.md`).
 *
 * Delete this when a new major version of Node is as fast without it. It has no test, as that would test
 * V8.
 */
export function keepExamples(): void {
  examples.push(new ServerResponse(new IncomingMessage(new Socket())));
  process.nextTick(() => examples.push(executionAsyncResource()));
}
