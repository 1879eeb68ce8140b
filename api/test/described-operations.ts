import type { FastifyInstance } from 'fastify';
import { json, type Operation } from './hostile-requests.ts';

interface Described extends Pick<Operation, 'parameters' | 'responses'> {
  requestBody?: { content: Record<string, { schema: Operation['body'] }> };
  security: Record<string, unknown>[];
}

export async function describedOperations(app: FastifyInstance): Promise<Operation[]> {
  const { paths } = (await app.inject('/openapi.json')).json<{
    paths: Record<string, Record<string, Described>>;
  }>();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, security, responses }]) => {
      const [proof = null] = Object.keys(security[0] ?? {});
      const [type = json] = Object.keys(requestBody?.content ?? {});
      const body = requestBody?.content[json]?.schema ?? null;
      return {
        method: method.toUpperCase(),
        path,
        parameters: proof === 'uploadKey' ? [...parameters, uploadKey] : parameters,
        body: proof === 'stripeSignature' ? event : body,
        security: proof,
        responses,
        contentType: type === 'multipart/form-data' ? `${type}; boundary=x` : type,
      };
    }),
  );
}

/** In the document this key is a security scheme. */
const uploadKey = { name: 'key', in: 'query' as const, schema: { type: 'string' } };
/** The provider defines its events' fields. */
const event = {
  type: 'object',
  required: ['id', 'object', 'type', 'data'],
  properties: Object.fromEntries(['id', 'object', 'type', 'data', 'created'].map((name) => [name, {}])),
};
