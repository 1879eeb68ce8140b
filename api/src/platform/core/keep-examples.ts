import { executionAsyncResource } from 'node:async_hooks';
import { Socket } from 'node:net';

// See `http/node-http.ts`.
const { IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http');

const examples: unknown[] = [];

/**
 * V8 drops the shapes of Node's request objects when none exists, and cached reads become a tenth slower
 * (0.85 in place of 0.97 of bare `node:http`, 2026-11-23). Call before serving; repeatable. Delete it once
 * a new major version of Node is as fast without.
 */
export function keepExamples(): void {
  examples.push(new ServerResponse(new IncomingMessage(new Socket())));
  process.nextTick(() => examples.push(executionAsyncResource()));
}
