import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import type { Config } from './config.ts';
import { requestContext } from './request-context.ts';

/**
 * JSON lines on standard output, each with the id of the request or the job that it belongs to, and with who makes it
 * as far as that is proven: the kind of actor, and the id of a user, which says nothing by itself. An error of the
 * database comes without its parameters, which may be addresses, names or hashes of tokens.
 * @param write where the lines go instead, for tests
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

/** An error as the log has it: without the values of statements. */
export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return describeObject(error);
  const { name, stack = '', cause } = error;
  const message = redactMessage(error);
  return {
    type: name,
    message,
    // The message is in it once more.
    stack: redactParameters(stack.replace(error.message, () => message)),
    ...('code' in error && { code: String(error.code) }),
    ...(cause instanceof Error && { cause: describeError(cause) }),
  };
}

/** The queue of the jobs gives plain objects with an error's message, stack and code; anything else has its type alone. */
function describeObject(thrown: unknown): DescribedError {
  const type = typeof thrown;
  const { message, stack, code } = (thrown ?? {}) as Record<string, unknown>;
  if (typeof message !== 'string' || typeof stack !== 'string')
    return { type, message: 'no error was thrown', stack: '' };
  const error = Object.assign(new Error(message), { stack }, code !== undefined && { code });
  return { ...describeError(error), type };
}

/**
 * A message without the values that a statement was given. Drizzle writes them behind `params:`, and a value may have
 * lines of its own; PostgreSQL quotes the value that it could not read (class 22, data exceptions).
 */
function redactMessage(error: Error): string {
  if ('params' in error) return error.message.replace(/^params: [\s\S]*/m, 'params: left out');
  const isDataException = 'code' in error && /^22/.test(String(error.code));
  return redactParameters(isDataException ? error.message.replace(/"[\s\S]*"/, '"…"') : error.message);
}

/** The same where only the text is left, as in an error that was made of another one. */
const redactParameters = (text: string) => text.replace(/^params: .*$/gm, 'params: left out');
