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

function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'no error was thrown', stack: '' };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message: redactParameters(message),
    stack: redactParameters(stack ?? ''),
    ...('code' in error && { code: String(error.code) }),
    ...(cause instanceof Error && { cause: describeError(cause) }),
  };
}

/** Drizzle writes `Failed query: …\nparams: …` into its messages. */
const redactParameters = (text: string) => text.replace(/^params: .*$/gm, 'params: left out');
