import type { Call } from '@parts-forge/contract/calls/call';
import type * as z from 'zod/mini';
import { strictBody } from '#src/platform/http/calls/strict.ts';
import { type Json, refHeaders, toJsonSchema } from './json.ts';
import { describeRefusals } from './refusals.ts';

export function describeOperation(call: Call): Json {
  const { summary, description } = call;
  return {
    operationId: nameOperation(call),
    tags: [call.tag],
    summary,
    ...(description !== undefined && { description }),
    parameters: [
      ...pathParameters(call),
      ...queryParameters(call),
      ...headerParameters(call),
      ...(call.dependsOn ? [ifNoneMatch] : []),
    ],
    ...describeBody(call),
    responses: { ...describeSuccess(call), ...describeRefusals(call) },
    security: describeSecurity(call),
  };
}

/** `PUT /order/accept/:id` is `putOrderAcceptId`: unique, and as stable as the path. */
function nameOperation({ method, path }: Call): string {
  const words = path.split(/[^A-Za-z]+/).filter(Boolean);
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}

const pathParameters = ({ params }: Call): Json[] =>
  Object.entries(params?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: toJsonSchema(schema as z.ZodMiniType, 'input'),
  }));

function queryParameters({ query, policy }: Call): Json[] {
  // `security` describes an upload's key.
  if (!query || policy.who === 'upload-key') return [];
  const { properties = {}, required = [] } = toJsonSchema(query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    // Lists are separated by commas.
    ...(schema.type === 'array' && { style: 'form', explode: false }),
  }));
}

const headerParameters = ({ headers = {} }: Call): Json[] =>
  Object.entries(headers).map(([name, { description, pattern, required = false }]) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string', pattern: pattern.source },
  }));

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an earlier answer; while that is still right, this one is 304.',
  schema: { type: 'string' },
};

function describeBody(call: Call): Json {
  const { multipart, file } = call;
  if (file) {
    const content = Object.fromEntries(file.types.map((type) => [type, {}]));
    return { requestBody: { required: true, content } };
  }
  if (multipart) {
    const { field, types } = multipart;
    const schema = {
      type: 'object',
      required: [field],
      properties: { [field]: { type: 'string', format: 'binary' } },
    };
    const encoding = { [field]: { contentType: types.join(', ') } };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema, encoding } } } };
  }
  if (!call.body) return {};
  const schema = toJsonSchema(strictBody(call), 'input');
  return { requestBody: { required: true, content: { 'application/json': { schema } } } };
}

function describeSuccess(call: Call): Json {
  if (call.empty) return { 204: { description: 'Done' } };
  if (call.events) return { 200: { description: 'The events', content: describeEvents(call.events) } };
  const names = [...(call.paged ? ['Link', 'X-Total-Count'] : []), ...(call.dependsOn ? ['ETag'] : [])];
  return {
    200: {
      description: 'The answer',
      ...refHeaders(names),
      content: { 'application/json': { schema: toJsonSchema(call.answer, 'output') } },
    },
    ...(call.dependsOn && {
      304: { description: 'What the `If-None-Match` names is still right', ...refHeaders(names) },
    }),
  };
}

/** OpenAPI 3.1 cannot describe a stream. */
function describeEvents(events: NonNullable<Call['events']>): Json {
  const described = Object.entries(events).map(
    ([name, schema]) => `\`${name}\`: \`${JSON.stringify(toJsonSchema(schema, 'output'))}\``,
  );
  const description = `Events, each with its data as JSON of this schema. ${described.join('; ')}`;
  return { 'text/event-stream': { schema: { type: 'string', description } } };
}

/** The roles of a key are its scopes (OpenAPI 3.1, "Security Requirement Object"). */
function describeSecurity({ policy }: Call): Json[] {
  switch (policy.who) {
    case 'everyone':
      return [];
    case 'identity':
      return [{ identityToken: [] }];
    case 'upload-key':
      return [{ uploadKey: [] }];
    case 'payment-provider':
      return [{ stripeSignature: [] }];
    case 'signed-in':
    case 'user':
    case 'admin':
      return [{ accessToken: [] }, ...(policy.scopes ?? []).map((scope) => ({ key: [scope] }))];
  }
}
