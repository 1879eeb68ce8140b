import type { Call } from '@parts-forge/contract/call';
import { IMAGE_TYPES } from '@parts-forge/contract/images';
import { type ProblemBody, type ProblemCode, problems, problemType } from '@parts-forge/contract/problems';
import * as z from 'zod/mini';

type Json = Record<string, unknown>;

/** Calls that answer a list page by page, and so name the next page and the number of matches in their headers. */
const paged = new Set(['GET /product', 'GET /order', 'GET /review', 'GET /user']);

/** The calls as an OpenAPI 3.1 document. */
export function openApiOf(calls: readonly Call[]): Json {
  const paths: Record<string, Json> = {};
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parts Forge',
      version: '1.0.0',
      description:
        'The calls of the shop of a mobile-phone parts manufacturer. Money is USD with at most two decimals; every refusal is a problem of RFC 9457 whose `type` ends in its code. HEAD is taken wherever GET is. A path of this document with a method that it does not name there is refused with 405 (`wrong-method`) and `Allow`; a path that is not here with 404 (`not-found`).',
      license: { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'This shop' }],
    tags: tagsOf(calls),
    paths,
    components: {
      schemas: { Problem: problemSchema, ...schemasByCode(calls.flatMap(refusalCodes)) },
      headers: {
        Link: {
          description: 'The next page, a relative reference; absent on the last one.',
          schema: { type: 'string', pattern: '^<.+>; rel="next"$' },
        },
        'X-Total-Count': {
          description: 'Number of matches, exact up to 10,000, above that `10000+`.',
          required: true,
          schema: { type: 'string', pattern: '^([0-9]{1,5}|10000\\+)$' },
        },
        ETag: { description: 'For `If-None-Match`.', required: true, schema: { type: 'string' } },
        'WWW-Authenticate': {
          description: 'The token that is asked for.',
          required: true,
          schema: { type: 'string', pattern: '^Bearer ' },
        },
        'Retry-After': {
          description: 'Seconds until another try makes sense.',
          required: true,
          schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
        },
      },
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description: "The shop's access token, from PUT /user/{email}.",
        },
        identityToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            "The identity service's signed token for the email in the path, from GET /identity/token.",
        },
        uploadKey: { type: 'apiKey', in: 'query', name: 'key', description: 'The key of POST /images/key.' },
        stripeSignature: {
          type: 'apiKey',
          in: 'header',
          name: 'Stripe-Signature',
          description: 'Signature of the raw body.',
        },
      },
    },
  };
}

function operationOf(call: Call): Json {
  const { body, query, summary, description } = call;
  return {
    operationId: operationId(call),
    tags: [tagOf(call)],
    summary,
    ...(description !== undefined && { description }),
    parameters: [
      ...pathParameters(call),
      ...(query ? queryParameters(query) : []),
      ...headerParameters(call),
      ...(isPublicRead(call) ? [ifNoneMatch] : []),
    ],
    ...(bodyOf(call, body) ?? {}),
    responses: { ...successOf(call), ...refusalsOf(call) },
    security: securityOf(call),
  };
}

/** `PUT /order/accept/:id` is `putOrderAcceptId`: unique, and stays as long as the path does. */
function operationId({ method, path }: Call): string {
  const words = path.split(/[^A-Za-z]+/).filter(Boolean);
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}

const tagNames: Record<string, [name: string, description: string]> = {
  product: ['Products', 'Parts on offer and their stock.'],
  order: ['Orders', 'Batches that customers order.'],
  'create-payment-intent': ['Payments', 'Paying for an order by card.'],
  webhooks: ['Payments', 'Paying for an order by card.'],
  review: ['Reviews', 'What customers write.'],
  user: ['Users', 'People, their roles and profiles.'],
  logout: ['Users', 'People, their roles and profiles.'],
  images: ['Pictures', 'Pictures of parts.'],
  config: ['Shop', 'What the page needs to know of the shop.'],
};

function tagOf({ path }: Call): string {
  const [, first = ''] = path.split('/');
  return tagNames[first]?.[0] ?? 'Shop';
}

function tagsOf(calls: readonly Call[]): Json[] {
  const used = new Set(calls.map(tagOf));
  const all = new Map(Object.values(tagNames));
  return [...all].filter(([name]) => used.has(name)).map(([name, description]) => ({ name, description }));
}

const pathParameters = ({ path }: Call): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: name === 'id' ? 'uuid' : 'email' },
  }));

function queryParameters(query: z.ZodMiniType): Json[] {
  const { properties = {}, required = [] } = jsonSchema(query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties)
    .filter(([name]) => name !== 'key')
    .map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }));
}

const headerParameters = ({ headers = {} }: Call): Json[] =>
  Object.entries(headers).map(([name, { description, pattern }]) => ({
    name,
    in: 'header',
    required: false,
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

/** A read that is the same for everyone: it has an `ETag` (contract, "Ground rules"). */
const isPublicRead = ({ method, caller, path }: Call) =>
  method === 'GET' && caller === 'everyone' && path !== '/config';

function bodyOf(call: Call, body: z.ZodMiniType | undefined): Json | null {
  if (call.caller === 'key') {
    const schema = {
      type: 'object',
      required: ['image'],
      properties: { image: { type: 'string', format: 'binary' } },
    };
    const encoding = { image: { contentType: IMAGE_TYPES.join(', ') } };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema, encoding } } } };
  }
  if (call.caller === 'payment-provider') {
    return {
      requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    };
  }
  if (!body) return null;
  return {
    requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } },
  };
}

function successOf(call: Call): Json {
  if (call.empty) return { 204: { description: 'Done' } };
  const names = [
    ...(paged.has(`${call.method} ${call.path}`) ? ['Link', 'X-Total-Count'] : []),
    ...(isPublicRead(call) ? ['ETag'] : []),
  ];
  return {
    200: {
      description: 'The answer',
      ...withHeaders(names),
      content: { 'application/json': { schema: jsonSchema(call.answer, 'output') } },
    },
    ...(isPublicRead(call) && {
      304: { description: 'What the `If-None-Match` names is still right', ...withHeaders(names) },
    }),
  };
}

const withHeaders = (names: readonly string[]): Json =>
  names.length === 0
    ? {}
    : {
        headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
      };

/** Headers that come with every refusal of a status. */
const headersOfRefusal: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Every refusal that a call can give: its own, and those that come with its caller, path, body and query. */
function refusalCodes(call: Call): ProblemCode[] {
  const codes = new Set<ProblemCode>(call.problems ?? []);
  if (call.caller === 'signed-in' || call.caller === 'user' || call.caller === 'admin')
    codes.add('sign-in-needed');
  if (call.caller === 'key') codes.add('sign-in-needed');
  if (call.caller === 'user') codes.add('customers-only');
  if (call.caller === 'admin') codes.add('admin-needed');
  // What stands in a path may name nothing, and an address that cannot be decoded does not.
  if (call.path.includes(':')) codes.add('not-found');
  // A body is read before anybody asks whether the call has one.
  if (call.method !== 'GET' && call.caller !== 'key' && call.caller !== 'payment-provider')
    for (const code of ['no-json', 'too-large', 'wrong-kind'] as const) codes.add(code);
  if (call.body || call.query) codes.add('invalid');
  for (const code of ['too-many', 'internal', 'unavailable', 'overloaded'] as const) codes.add(code);
  return [...codes];
}

function refusalsOf(call: Call): Json {
  const byStatus = Map.groupBy(refusalCodes(call), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => {
      const schemas = of.map((code) => ({ $ref: `#/components/schemas/${code}` }));
      const schema = schemas.length === 1 ? schemas[0] : { oneOf: schemas };
      return [
        status,
        {
          description: of.map((code) => problems[code].title).join('; '),
          ...withHeaders(headersOfRefusal[status] ?? []),
          content: { 'application/problem+json': { schema } },
        },
      ];
    }),
  );
}

/** What a refusal always carries beside the members of every problem. */
const carries: { [code in ProblemCode]?: keyof ProblemBody } = {
  invalid: 'errors',
  'below-minimum': 'errors',
  'amount-too-large': 'errors',
  'key-reused': 'errors',
  'above-stock': 'quantity',
  'price-changed': 'price',
  'price-mismatch': 'total',
  internal: 'requestId',
};

/** Each refusal as a schema of its own, named by its code. */
const schemasByCode = (codes: readonly ProblemCode[]): Json =>
  Object.fromEntries(
    codes.map((code) => {
      const { status, title } = problems[code];
      const extra = carries[code];
      const schema: Json = {
        description: title,
        allOf: [{ $ref: '#/components/schemas/Problem' }],
        properties: { type: { const: problemType(code) }, status: { const: status } },
        ...(extra && { required: [extra] }),
      };
      return [code, schema];
    }),
  );

function securityOf({ caller }: Call): Json[] {
  switch (caller) {
    case 'everyone':
      return [];
    case 'identity':
      return [{ identityToken: [] }];
    case 'key':
      return [{ uploadKey: [] }];
    case 'payment-provider':
      return [{ stripeSignature: [] }];
    case 'signed-in':
    case 'user':
    case 'admin':
      return [{ accessToken: [] }];
  }
}

/** Refinements that JSON Schema cannot say are left to the descriptions. */
function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}

const problemSchema: Json = {
  type: 'object',
  description: 'A refusal (RFC 9457).',
  required: ['type', 'title', 'status', 'detail'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', description: '`urn:parts-forge:problem:` and the code' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'For people; the texts of the specification where it has one.' },
    errors: {
      type: 'array',
      description: 'The fields that are wrong, where fields of the request are.',
      minItems: 1,
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    quantity: { type: 'integer', description: 'Pieces on hand now' },
    price: { type: 'number', description: 'Price of one piece in dollars now' },
    total: { type: 'number', description: 'Total of the order in dollars' },
    requestId: { type: 'string', description: 'Names the request in the log' },
  },
};
