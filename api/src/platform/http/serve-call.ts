import type { Call, Caller, Parsed } from '@parts-forge/contract/call';
import type { FieldError } from '@parts-forge/contract/problems';
import { idPattern } from '@parts-forge/contract/text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { type Actor, type ActorOf, checkCaller, type TokenLookup } from './access.ts';
import { limitPerAccount, type RateLimit } from './guards.ts';
import { Problem } from './problem.ts';

/** JSON bodies, in bytes (contract, "Ground rules"). */
export const MAX_BODY_BYTES = 64 * 1024;

/** What a handler is given: checked and parsed, so it only decides. */
export interface Served<Body, Query, Who extends Caller> {
  actor: ActorOf<Who>;
  params: Readonly<Record<string, string>>;
  body: Body;
  query: Query;
  request: FastifyRequest;
  reply: FastifyReply;
}

declare module 'fastify' {
  interface FastifyInstance {
    tokens: TokenLookup;
  }
  interface FastifyContextConfig {
    /** The call that a route serves, for `/openapi.json` and the limits. */
    call?: Call;
  }
  interface FastifyRequest {
    actor: unknown;
  }
}

/** What a call may ask of its route beyond the contract's description. */
export interface ServeOptions<Who extends Caller> {
  /** A refusal by role that hangs on more than the caller's kind; comes before the body is read. */
  refuseByRole?: (actor: ActorOf<Who>, request: FastifyRequest) => void;
  /** Requests from one account, or from one address where a call is made without an account. */
  rateLimit?: RateLimit;
}

/**
 * Registers one call of the contract. Refusals come in the contract's order: who is calling, then size, kind
 * and JSON, then the schema; owner and state are the handler's.
 */
export function serveCall<
  Body extends z.ZodMiniType | undefined,
  Query extends z.ZodMiniType | undefined,
  Answer extends z.ZodMiniType,
  Who extends Caller,
>(
  app: FastifyInstance,
  call: Call<Body, Query, Answer, Who>,
  handler: (served: Served<Parsed<Body>, Parsed<Query>, Who>) => Promise<z.output<Answer> | FastifyReply>,
  { refuseByRole, rateLimit }: ServeOptions<Who> = {},
): void {
  const isOfAccount = isSignedIn(call.caller);
  const countForAccount =
    rateLimit && isOfAccount ? limitPerAccount(app, rateLimit, ({ actor }) => (actor as Actor).userId) : null;
  app.route({
    method: call.method === 'GET' ? ['GET', 'HEAD'] : call.method,
    url: call.path,
    config: { call: call as unknown as Call, ...(rateLimit && !isOfAccount && { rateLimit }) },
    bodyLimit: MAX_BODY_BYTES,
    // After the rates were counted, so that wrong tokens count too, and before the body is read.
    async preParsing(request) {
      request.actor = isSignedIn(call.caller) ? await checkCaller(request, call.caller, app.tokens) : null;
      await countForAccount?.(request);
      refuseByRole?.(request.actor as ActorOf<Who>, request);
      const length = Number(request.headers['content-length'] ?? 0);
      if (call.method !== 'GET' && length > MAX_BODY_BYTES) throw new Problem('too-large');
    },
    async handler(request, reply) {
      const query = (call.query && parse(call.query, request.query)) as Parsed<Query>;
      const body = (call.body && parse(call.body, bodyOf(request))) as Parsed<Body>;
      const { id } = request.params as { id?: string };
      if (id !== undefined && !idPattern.test(id)) throw new Problem('not-found');
      const answer = await handler({
        actor: request.actor as ActorOf<Who>,
        params: request.params as Record<string, string>,
        body,
        query,
        request,
        reply,
      });
      if (reply.sent || answer === (reply as unknown)) return reply;
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
      return call.empty
        ? reply.code(204).send()
        : reply.type('application/json').send(JSON.stringify(answer));
    },
  });
}

/**
 * The value as the schema gives it.
 * @throws Problem `invalid` with every breach, in the specification's words where it has any
 */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const errors: FieldError[] = parsed.error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: issue.message,
  }));
  throw new Problem('invalid', {
    detail: errors[0]?.message ?? 'Something in the request is not valid',
    errors,
  });
}

/** For breaches that the schema has no words for. */
const inPlainWords = ({ code, input }: { code?: string; input?: unknown }) =>
  code === 'invalid_type' && input === undefined ? 'Is required' : 'Is not of the right kind';

const isSignedIn = (caller: Caller) => caller === 'signed-in' || caller === 'user' || caller === 'admin';

/** A call with a body must have one: no body at all is no JSON (400). */
function bodyOf(request: FastifyRequest): unknown {
  if (request.body === undefined || request.body === null) {
    if (request.body === null) return null;
    throw new Problem('no-json');
  }
  return request.body;
}
