import { executionAsyncResource } from 'node:async_hooks';
import { Socket } from 'node:net';

// For the reason in `http/node-http.ts`.
const { IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http');

const examples: unknown[] = [];

/**
 * Keeps one object of each kind that Node creates per request. V8 drops shapes without objects; after
 * that, cached reads are a tenth slower until the process ends (`bench/notes/2026-11-23-serving.md`).
 * Call it before serving; safe to repeat. Delete it when a new major version of Node is as fast without
 * it.
 */
export function keepExamples(): void {
  examples.push(new ServerResponse(new IncomingMessage(new Socket())));
  process.nextTick(() => examples.push(executionAsyncResource()));
}
