import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyInstance } from 'fastify';
import type { Answer, RequestOptions } from './answer.ts';

interface Content {
  content?: Record<string, unknown>;
}
interface Response extends Content {
  headers?: Record<string, { $ref: string }>;
}
interface Operation {
  parameters: { name: string; in: string; schema: unknown }[];
  requestBody?: Content;
  responses: Record<string, Response>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { headers: Record<string, { required?: boolean }> };
}

/** @throws Error when answer or accepted request differs from `/openapi.json` */
export type AnswerCheck = (address: string, request: RequestOptions, answer: Answer) => void;

/** By settings and by document: most shops share it, and building or compiling it takes longer than a call. */
const checks = new Map<string, AnswerCheck>();

/**
 * Pages are not in the document.
 * @param settings of the shop, on which alone the document depends
 */
export async function describedAnswers(app: FastifyInstance, settings: string): Promise<AnswerCheck> {
  const known = checks.get(settings);
  if (known) return known;
  const { body } = await app.inject('/openapi.json');
  const check = checks.get(body) ?? createCheck(JSON.parse(body));
  checks.set(body, check).set(settings, check);
  return check;
}

function createCheck(document: Document): AnswerCheck {
  // Formats have their own tests; unknown keywords are OpenAPI's.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, 'document');
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

  /** Null for none. */
  function mistakes(place: readonly string[], value: unknown): string | null {
    const pointer = place.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')));
    const check = ajv.getSchema(`document#/${pointer.join('/')}`);
    if (!check) return `there is no schema at ${pointer.join('/')}`;
    return check(value) ? null : `${ajv.errorsText(check.errors)}: ${JSON.stringify(value)}`;
  }

  function answerMistakes(path: string, method: string, answer: Answer, isHead: boolean): string[] {
    const place = ['paths', path, method, 'responses', String(answer.status)];
    const response = document.paths[path]?.[method]?.responses[answer.status];
    if (!response) return ['the document does not have this status'];
    const wrong = Object.entries(response.headers ?? {}).map(([name, { $ref }]) => {
      const value = answer.headers.get(name);
      const component = $ref.replace('#/components/headers/', '');
      if (value !== null) return mistakes(['components', 'headers', component, 'schema'], value);
      return document.components.headers[component]?.required ? `the header ${name} is missing` : null;
    });
    const [type] = (answer.headers.get('content-type') ?? '').split(';');
    if (!response.content) wrong.push(answer.body === null ? null : 'there is a body');
    else if (!response.content[type ?? '']) wrong.push(`the document does not have the kind ${type}`);
    else if (!isHead) wrong.push(mistakes([...place, 'content', type ?? '', 'schema'], answer.body));
    return wrong.filter((sentence) => sentence !== null);
  }

  /** Accepted requests must match the document. */
  function requestMistakes(path: string, method: string, search: URLSearchParams, body: unknown): string[] {
    const place = ['paths', path, method];
    const operation = document.paths[path]?.[method];
    const wrong = (operation?.parameters ?? []).map(({ name, in: where, schema }, index) => {
      const value = where === 'query' ? search.get(name) : null;
      if (value === null) return null;
      const { type } = schema as { type?: string };
      const given = { integer: () => Number(value), array: () => value.split(',') }[type ?? ''];
      return mistakes([...place, 'parameters', String(index), 'schema'], given ? given() : value.trim());
    });
    if (operation?.requestBody?.content?.['application/json'] && body !== undefined) {
      const given = typeof body === 'string' ? JSON.parse(body) : body;
      wrong.push(
        mistakes([...place, 'requestBody', 'content', 'application/json', 'schema'], trimTexts(given)),
      );
    }
    return wrong.filter((sentence) => sentence !== null);
  }

  return (address, { method = 'GET', body }, answer) => {
    const { pathname, searchParams } = new URL(address, 'http://shop');
    const isHead = method === 'HEAD';
    const documented = isHead ? 'get' : method.toLowerCase();
    const exact = paths.find(({ path }) => path === pathname);
    const known = exact ?? paths.find(({ pattern }) => pattern.test(pathname));
    const wrong: string[] = [];
    if (known && document.paths[known.path]?.[documented]) {
      wrong.push(...answerMistakes(known.path, documented, answer, isHead));
      if (answer.status < 300) wrong.push(...requestMistakes(known.path, documented, searchParams, body));
    } else if (isOurRefusal(pathname, answer)) {
      const mistake = mistakes(['components', 'schemas', 'Problem'], answer.body);
      if (mistake) wrong.push(mistake);
    }
    if (wrong.length > 0) throw new Error(`${method} ${address} ${answer.status}: ${wrong.join('; ')}`);
  };
}

/** By `/openapi.json`, surrounding spaces do not count. */
const trimTexts = (given: unknown) =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? Object.fromEntries(
        Object.entries(given).map(([name, value]) => [
          name,
          typeof value === 'string' ? value.trim() : value,
        ]),
      )
    : given;

/** The identity service and the card sandbox have other refusals. */
const isOurRefusal = (pathname: string, { headers, body }: Answer) =>
  !/^\/(identity|sandbox)\//.test(pathname) &&
  body !== null &&
  /^application\/problem\+json\b/.test(headers.get('content-type') ?? '');
