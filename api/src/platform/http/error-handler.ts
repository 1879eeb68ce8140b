import type { ProblemCode } from '@parts-forge/contract/calls/problems';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { isTransactionConflict } from '#src/platform/database/transaction-conflicts.ts';
import { isDatabaseUnavailable } from '#src/platform/database/unavailable.ts';

declare module 'fastify' {
  interface FastifyReply {
    refusal: ProblemCode | null;
    /** `WWW-Authenticate` of a 401. */
    challenge: string;
  }
}

const fastifyCodes: Record<string, () => Problem> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem('too-large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Problem('wrong-kind'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new Problem('no-json'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Problem('no-json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Problem('bad-request'),
  FST_ERR_BAD_URL: () => new Problem('not-found'),
  FST_ERR_MAX_PARAM_LENGTH: () => new Problem('not-found'),
};

/** Unknown errors become a bare 500, fully logged. */
export function setErrorHandler(app: FastifyInstance, { shop }: Pick<Config, 'shop'>): void {
  app.decorateReply('refusal', null);
  app.decorateReply('challenge', `Bearer realm=${quoteRealm(shop.name)}`);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = toProblem(error, request);
    const isUnsaid = problem.code === 'wrong-kind' && problem.extras.detail === undefined;
    sendProblem(reply, isUnsaid ? refuseKind(request) : problem);
  });
}

/** Names what the call takes. */
function refuseKind({ routeOptions: { config } }: FastifyRequest): Problem {
  const { file, multipart } = config.call ?? {};
  const form = multipart && `multipart/form-data with a picture (${multipart.types.join(', ')}) as \`image\``;
  const kinds = file?.types.join(', ') ?? form ?? 'application/json in UTF-8';
  return new Problem('wrong-kind', { detail: `Send ${kinds}, without a Content-Encoding` });
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const { retryAfterSeconds, allow } = problem.extras;
  reply.refusal = problem.code;
  if (problem.status === 401) reply.header('www-authenticate', reply.challenge);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)));
  else if (problem.status === 503) reply.header('retry-after', '5');
  if (allow !== undefined) reply.header('allow', allow);
  // The log has the same id, which people can quote.
  const body = problem.status >= 500 ? { ...problem.body, requestId: reply.request.id } : problem.body;
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/problem+json')
    .send(JSON.stringify(body));
}

/** A quoted-string (RFC 9110, 5.6.4). Headers are ASCII, so other letters are percent-encoded. */
const quoteRealm = (name: string): string =>
  `"${name.replace(/["\\]/g, '\\$&').replace(/[^ -~]/gu, encodeURIComponent)}"`;

/** Logs failures of ours and the causes of refusals. */
export function toProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) {
    const { code, message, cause } = error;
    if (error.status >= 500) request.log.error({ err: cause ?? error, code }, message);
    else if (cause !== undefined) request.log.info({ err: cause, code }, message);
    return error;
  }
  const known = fastifyCodes[error.code];
  if (known) return known();
  if (error instanceof SyntaxError && error.statusCode === 400) return new Problem('no-json');
  if (error.statusCode === 400) return new Problem('bad-request');
  if (isDatabaseUnavailable(error)) {
    request.log.error({ err: error }, 'the database does not answer');
    return new Problem('unavailable');
  }
  if (isTransactionConflict(error)) {
    request.log.error({ err: error }, 'other transactions were in the way');
    return new Problem('overloaded', { retryAfterSeconds: 1 });
  }
  request.log.error({ err: error }, 'unexpected error');
  return new Problem('internal');
}
