import { COUNTED_TO } from '@parts-forge/contract/calls/bounds';
import { type Call, tags } from '@parts-forge/contract/calls/call';
import { problemBodySchema } from '@parts-forge/contract/calls/problem-body';
import { postedSchemas } from '@parts-forge/contract/events/webhooks';
import { shopCurrency } from '@parts-forge/contract/money/currency';
import { formatPieces } from '@parts-forge/contract/money/money';
import type { Shop } from '#src/platform/core/config/shop.ts';
import { type Json, toJsonSchema } from './json.ts';
import { describeOperation } from './operations.ts';
import { describeProblems, listRefusals } from './refusals.ts';

export function describeAsOpenApi(calls: readonly Call[], shop: Shop): Json {
  const paths: Record<string, Json> = {};
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: describeOperation(call) };
  }
  return {
    openapi: '3.1.0',
    info: describeShop(shop),
    servers: [{ url: '/', description: 'This shop' }],
    tags: listTags(calls),
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas: {
        Problem: toJsonSchema(problemBodySchema, 'output'),
        ...describeProblems(calls.flatMap(listRefusals)),
      },
      headers,
      securitySchemes,
    },
  };
}

/** Signed after Standard Webhooks. */
const describeWebhooks = (): Json =>
  Object.fromEntries(
    postedSchemas.map((schema) => {
      const type = String(schema.shape.type.def.values[0]);
      const content = { 'application/json': { schema: toJsonSchema(schema, 'output') } };
      const post = {
        operationId: type.replace(/\W(.)/g, (_, letter: string) => letter.toUpperCase()),
        tags: ['Administration'],
        summary: `Posted to the webhooks of \`${type}\``,
        parameters: ['id', 'timestamp', 'signature'].map((name) => ({
          name: `webhook-${name}`,
          in: 'header',
          required: true,
          schema: { type: 'string' },
        })),
        requestBody: { required: true, content },
        responses: { '2XX': { description: 'Taken' }, default: { description: 'The shop tries again' } },
        security: [],
      };
      return [type, { post }];
    }),
  );

const describeShop = ({ name, tagline }: Shop): Json => ({
  title: name,
  version: '1.1.0',
  description: `The calls of the shop.${tagline && ` ${tagline}`} Money is ${shopCurrency().code} with at most ${shopCurrency().decimals === 0 ? 'no' : 'two'} decimals; every refusal is a problem of RFC 9457 whose \`type\` ends in its code. Spaces around a text do not count in its length. HEAD is taken wherever GET is. A path of this document with a method that it does not name there is refused with 405 (\`wrong-method\`) and \`Allow\`; a path that is not here with 404 (\`not-found\`).`,
  license: { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' },
});

const headers: Json = {
  Link: {
    description: 'The next page, a relative reference; absent on the last one.',
    schema: { type: 'string', pattern: '^<.+>; rel="next"$' },
  },
  'X-Total-Count': {
    description: `Number of matches, exact up to ${formatPieces(COUNTED_TO)}, above that \`${COUNTED_TO}+\`. A \`+\` behind another number: at least so many, as only the newest rows were looked at.`,
    required: true,
    schema: { type: 'string', pattern: `^[0-9]{1,${String(COUNTED_TO).length}}\\+?$` },
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
};

const securitySchemes: Json = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: "The shop's access token, from PUT /user/{email}.",
  },
  key: {
    type: 'http',
    scheme: 'bearer',
    description: 'A key of POST /key with one of the scopes; calls without one are never made by key.',
  },
  identityToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "The identity service's signed token for the email in the path, from GET /identity/token.",
  },
  uploadKey: { type: 'apiKey', in: 'query', name: 'key', description: 'The key of POST /images/key.' },
  stripeSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Stripe-Signature',
    description: 'Signature of the raw body.',
  },
};

const listTags = (calls: readonly Call[]): Json[] =>
  Object.entries(tags)
    .filter(([name]) => calls.some(({ tag }) => tag === name))
    .map(([name, description]) => ({ name, description }));
