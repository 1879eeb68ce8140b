import { MAX_JSON_BYTES } from '@parts-forge/contract/calls/bounds';
import {
  buildAddress,
  type CacheTag,
  type Call,
  type Parsed,
  type RowOf,
} from '@parts-forge/contract/calls/call';
import { needsAccessToken } from '@parts-forge/contract/calls/policies';
import { formatPieces } from '@parts-forge/contract/money/money';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { SentFile } from '#src/platform/core/sent-file.ts';
import type { Page } from '#src/platform/database/find-page.ts';
import type { ResponseCache } from '#src/platform/http/cache/response-cache.ts';
import { sendCached } from '#src/platform/http/cache/send-cached.ts';
import { limitAccountRate, PER_KEY, toWindow } from '#src/platform/http/limits/rate-limits.ts';
import type { TakePlace } from '#src/platform/http/limits/upload-places.ts';
import { type Actor, type ActorOf, authorize, type TokenLookup } from './access.ts';
import { isEncoded, parseFiles, readCharset } from './json-body.ts';
import { pageHeaders } from './paging.ts';
import { strictBody, strictQuery } from './strict.ts';
import { parse } from './validation.ts';

declare module 'fastify' {
  interface FastifyInstance {
    tokens: TokenLookup;
    responses: ResponseCache;
    takePlace: TakePlace;
  }
  interface FastifyContextConfig {
    call?: Call;
  }
  interface FastifyRequest {
    actor: Actor | null;
  }
}

export type CallInput<C extends Call> =
  C extends Call<infer Params, infer Query, infer Body, z.ZodMiniType, infer Who>
    ? Input<Parsed<Params>, Parsed<Query>, Parsed<Body>, ActorOf<Who>>
    : never;

interface Input<Params, Query, Body, By> {
  actor: By;
  params: Params;
  query: Query;
  headers: Readonly<Record<string, string | undefined>>;
  body: Body;
  /** Empty unless the response is the same for everyone. */
  dependencies: readonly CacheTag[];
  request: FastifyRequest;
}

type ParsedInput = Input<Parsed<Call['params']>, Parsed<Call['query']>, unknown, Actor | null>;

/**
 * Refusals come in the contract's order: caller, size, media type, JSON, schemas; the handler checks owner
 * and state. `fastify-type-provider-zod` would check the caller after it has read the body.
 */
export function serveCall<C extends Call>(
  app: FastifyInstance,
  call: C,
  handle: (input: CallInput<C>) => Promise<z.output<C['answer']>>,
): void {
  registerRoute(app, call, async (input) => ({
    body: await handle(input as CallInput<C>),
    headers: {},
  }));
}

export async function serveFile<C extends Call>(
  app: FastifyInstance,
  call: C,
  handle: (input: CallInput<C>, file: SentFile) => Promise<z.output<C['answer']>>,
): Promise<void> {
  await app.register(async (scope) => {
    parseFiles(scope, call.file?.types ?? []);
    serveCall(scope, call, (input) => {
      const { actor, request } = input as ParsedInput;
      const sender = actor?.userId ?? '';
      const charset = readCharset(request.headers['content-type']) ?? '';
      const hasGone = () => request.raw.socket.destroyed;
      return handle(input, { content: requireFile(request), charset, sender, hasGone });
    });
  });
}

/** The dependencies may be fewer than the call's. */
type ShownPage<Row> = Page<Row> & {
  dependencies?: readonly CacheTag[];
  headers?: Record<string, string>;
  beside?: object;
};

export function serveList<C extends Call>(
  app: FastifyInstance,
  call: C,
  handle: (input: CallInput<C>) => Promise<ShownPage<RowOf<z.output<C['answer']>>>>,
): void {
  registerRoute(app, call, async (input) => {
    const page = await handle(input as CallInput<C>);
    const body = call.paged === 'data' ? { data: page.rows, ...page.beside } : page.rows;
    const headers = { ...pageHeaders(buildCanonicalAddress(call, input), page), ...page.headers };
    return { body, headers, ...(page.dependencies && { dependencies: new Set(page.dependencies) }) };
  });
}

interface CallResult {
  body: unknown;
  headers: Record<string, string>;
  dependencies?: ReadonlySet<CacheTag>;
}

function registerRoute(
  app: FastifyInstance,
  call: Call,
  answer: (input: ParsedInput) => Promise<CallResult>,
): void {
  const { rateLimit, policy, timeoutMs } = call;
  const maxBytes = call.file?.maxBytes ?? MAX_JSON_BYTES;
  const schemas = { query: strictQuery(call), body: strictBody(call) };
  const countAccount =
    rateLimit && needsAccessToken(policy.who) ? limitAccountRate(app, call.path, rateLimit) : null;
  const countKey = limitAccountRate(app, 'key', PER_KEY);
  app.route({
    method: call.method === 'GET' ? ['GET', 'HEAD'] : call.method,
    url: call.path,
    config: {
      call,
      ...(timeoutMs && { requestTimeoutMs: timeoutMs }),
      ...(rateLimit && !needsAccessToken(policy.who) && { rateLimit: toWindow(rateLimit) }),
    },
    bodyLimit: maxBytes,
    // After the rate limit, so that wrong tokens count, and before the body is read.
    async preParsing(request, reply) {
      const actor = await authorize(request, call, app.tokens);
      request.actor = actor;
      if (actor) {
        requestContext.setActor({ kind: actor.role, id: actor.userId, keyId: actor.key?.id });
        if (actor.key) await countKey?.(request, actor);
        await countAccount?.(request, actor);
      }
      const length = Number(request.headers['content-length'] ?? 0);
      if (call.method !== 'GET' && length > maxBytes)
        throw new Problem('too-large', { detail: `At most ${formatPieces(maxBytes / 1024)} KiB fit.` });
      requireHeaders(call, request);
      if (call.method !== 'GET' && isEncoded(request)) throw new Problem('wrong-kind');
      if (call.file) await app.takePlace(reply.raw, actor?.role === 'user' ? actor.userId : undefined);
    },
    async handler(request, reply) {
      // The body may have come long after the head.
      if (call.method !== 'GET') request.actor = await authorize(request, call, app.tokens);
      return respond(app, call, parseInput(call, schemas, request), answer, reply);
    },
  });
}

/** @throws Problem `invalid`; `not-found` for an invalid path parameter */
function parseInput(
  call: Call,
  schemas: { query: z.ZodMiniType; body: z.ZodMiniType },
  request: FastifyRequest,
): ParsedInput {
  const query = parse(schemas.query, request.query) as Parsed<Call['query']>;
  const body = call.file
    ? requireFile(request)
    : parse(schemas.body, call.body ? requireBody(request) : (request.body ?? {}));
  const headers = call.headers ? readHeaders(call.headers, request) : noHeaders;
  const params = call.params?.safeParse(request.params);
  if (params && !params.success) throw new Problem('not-found');
  return {
    actor: request.actor,
    params: params?.data,
    query,
    headers,
    body,
    dependencies: call.dependsOn?.(params?.data, query) ?? [],
    request,
  };
}

function requireHeaders({ headers = {} }: Call, request: FastifyRequest): void {
  for (const [name, { required }] of Object.entries(headers)) {
    if (required && request.headers[name.toLowerCase()] === undefined) {
      throw new Problem('header-required', { detail: `${name} is required` });
    }
  }
}

const noHeaders: Readonly<Record<string, string | undefined>> = {};

/** @throws Problem `invalid` */
function readHeaders(
  described: NonNullable<Call['headers']>,
  request: FastifyRequest,
): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, { pattern, message }] of Object.entries(described)) {
    const value = request.headers[name.toLowerCase()];
    if (value !== undefined && (typeof value !== 'string' || !pattern.test(value))) {
      throw invalidField(name, message);
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

async function respond(
  app: FastifyInstance,
  call: Call,
  input: ParsedInput,
  answer: (input: ParsedInput) => Promise<CallResult>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const make = async () => {
    const { body, headers, dependencies } = await answer(input);
    return {
      ...(dependencies && { dependencies }),
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
  };
  if (call.dependsOn) {
    const key = buildCanonicalAddress(call, input);
    return sendCached(input.request, reply, await app.responses.get(key, make, input.dependencies));
  }
  const { headers, body } = await make();
  // The call's timeout has answered already.
  if (reply.sent) return reply;
  reply.header('cache-control', 'no-store');
  return call.empty ? reply.code(204).send() : reply.headers(headers).send(body);
}

/** Only the call's own parameters, in its order: callers cannot fill the cache with copies. */
const buildCanonicalAddress = (
  { path, query: schema }: Pick<Call, 'path' | 'query'>,
  { params, query }: { params: object | undefined; query: object | undefined },
): string => buildAddress(path, params, query, Object.keys(schema?.shape ?? {}));

/** `parseFiles` has read it. */
function requireFile({ body }: FastifyRequest): Buffer {
  if (!Buffer.isBuffer(body)) throw new Problem('wrong-kind');
  return body;
}

function requireBody({ body }: FastifyRequest): unknown {
  if (body === undefined) throw new Problem('no-json');
  return body;
}
