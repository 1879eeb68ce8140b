import Fastify, { type FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';

/**
 * JSON lines on standard output. An error of the database comes without its parameters, which may be addresses,
 * names or hashes of tokens.
 * @param write where the lines go instead, for tests
 */
export function createLog(level: Config['logLevel'], write?: (line: string) => void): FastifyBaseLogger {
  return Fastify({
    logger: { level, serializers: { err: describeError }, ...(write && { stream: { write } }) },
  }).log;
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
    message: withoutParameters(message),
    stack: withoutParameters(stack ?? ''),
    ...('code' in error && { code: String(error.code) }),
    ...(cause instanceof Error && { cause: describeError(cause) }),
  };
}

/** Drizzle writes `Failed query: …\nparams: …` into its messages. */
const withoutParameters = (text: string) => text.replace(/^params: .*$/gm, 'params: left out');
