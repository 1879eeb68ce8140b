import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import type { Config } from './config.ts';
import { requestContext } from './request-context.ts';

/**
 * Database errors come without parameters, which may be personal data or token hashes.
 * @param write replaces standard output, for tests
 */
export function createLog(level: Config['logLevel'], write?: (line: string) => void): FastifyBaseLogger {
  const options = {
    level,
    serializers: { err: describeError },
    mixin: describeContext,
  };
  return write ? pino(options, { write }) : pino(options);
}

function describeContext() {
  const { requestId, actor } = requestContext.current();
  return {
    requestId,
    ...(actor && { actor: actor.kind }),
    ...(actor?.id && { actorId: actor.id }),
  };
}

interface DescribedError {
  type: string;
  message: string;
  stack: string;
  [more: string]: unknown;
}

export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return describeObject(error);
  const { name, stack = '', cause } = error;
  const message = redactMessage(error);
  return {
    type: name,
    message,
    // The stack repeats the message.
    stack: redactParameters(stack.replace(error.message, () => message)),
    ...('code' in error && { code: String(error.code) }),
    ...(cause instanceof Error && { cause: describeError(cause) }),
  };
}

/** The job queue throws plain objects. */
function describeObject(thrown: unknown): DescribedError {
  const type = typeof thrown;
  const { message, stack, code } = (thrown ?? {}) as Record<string, unknown>;
  if (typeof message !== 'string' || typeof stack !== 'string')
    return { type, message: 'no error was thrown', stack: '' };
  const error = Object.assign(new Error(message), { stack }, code !== undefined && { code });
  return { ...describeError(error), type };
}

/**
 * Drizzle appends values after `params:`, also over several lines. PostgreSQL quotes unreadable values
 * (class 22).
 */
function redactMessage(error: Error): string {
  if ('params' in error) return error.message.replace(/^params: [\s\S]*/m, 'params: left out');
  const isDataException = 'code' in error && /^22/.test(String(error.code));
  return redactParameters(isDataException ? error.message.replace(/"[\s\S]*"/, '"…"') : error.message);
}

const redactParameters = (text: string) => text.replace(/^params: .*$/gm, 'params: left out');
