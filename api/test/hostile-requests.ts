import fc from 'fast-check';
import {
  anyCharacter,
  arbitraryValue,
  hostileText,
  hostileValue,
  type JsonSchema,
  writeJson,
} from './hostile-values.ts';

export interface Operation {
  method: string;
  /** With `{name}` for parameters. */
  path: string;
  parameters: {
    name: string;
    in: 'path' | 'query' | 'header';
    required?: boolean;
    schema: JsonSchema;
  }[];
  /** Schema of the JSON body; null without one. */
  body: JsonSchema | null;
  security: string | null;
  contentType: string;
  /** Described responses by status. */
  responses: Record<string, unknown>;
}

export interface HostileRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Valid values by name, so that requests pass validation. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** Some valid, most with an error. */
export function arbitraryRequest(
  operation: Operation,
  known: KnownValues,
  tokens: readonly string[],
): fc.Arbitrary<HostileRequest> {
  return fc
    .record({
      method: usually(fc.constant(operation.method), fc.constantFrom(...otherMethods)),
      path: arbitraryPath(operation, known),
      query: arbitraryQuery(operation, known),
      headers: arbitraryHeaders(operation, known),
      token: usually(fc.constantFrom(...(tokens.length > 0 ? tokens : [''])), headerText, 0.06),
      body: operation.body
        ? arbitraryBody(operation.body, known)
        : usually(fc.constant(undefined), rawBodies, operation.contentType === json ? 0.2 : 0.9),
      type: usually(fc.constant(operation.contentType), fc.constantFrom(...contentTypes), 0.06),
    })
    .map(({ method, path, query, headers, token, body, type }) => ({
      method,
      url: path + query,
      headers: {
        ...headers,
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': type }),
      },
      body,
    }));
}

export const json = 'application/json';

/** The other with the given probability. */
const usually = <A, B>(
  first: fc.Arbitrary<A>,
  other: fc.Arbitrary<B>,
  probability = 0.03,
): fc.Arbitrary<A | B> =>
  fc.oneof(
    { weight: Math.round((1 - probability) * 100), arbitrary: first },
    { weight: Math.round(probability * 100), arbitrary: other },
  );

const otherMethods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'PROPFIND',
];

const contentTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'application/json; charset="UTF-8"',
  'application/problem+json',
  'application/xml',
  'APPLICATION/JSON',
  'application/json,text/html',
  'x',
  '',
];

function arbitraryPath({ path, parameters }: Operation, known: KnownValues): fc.Arbitrary<string> {
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const values = names.map((name) =>
    usually(
      chooseValue(name, known, hostileText).map((value) => encode(String(value))),
      fc.constantFrom('%', '%zz', '%E0%A4%A', '%00', '%2F', '..', '.', ';a=b', '*', 'x'.repeat(801)),
      0.15,
    ),
  );
  return fc
    .tuple(...values)
    .map((given) => given.reduce((filled, value) => filled.replace(/\{\w+\}/, () => value), path));
}

function arbitraryQuery({ parameters }: Operation, known: KnownValues): fc.Arbitrary<string> {
  const fields = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) =>
      usually(
        name === 'after' ? cursors : chooseValue(name, known, arbitraryValue(schema)),
        hostileText,
        0.2,
      ).map((value) => `${name}=${encode(String(value))}`),
    );
  const extra = fc.constantFrom(
    '__proto__=1',
    'constructor[a]=1',
    'a[]=1',
    '%',
    '=',
    '&&',
    '?',
    'q=%E0%A4%A',
    'limit=1&limit=2',
  );
  return fc
    .tuple(
      fc.subarray(fields).chain((chosen) => fc.tuple(...chosen)),
      usually(fc.constant([]), fc.array(extra, { maxLength: 3 }), 0.1),
    )
    .map(([given, more]) => [...given, ...more].join('&'))
    .map((text) => (text === '' ? '' : `?${text}`));
}

const instants = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('0000-01-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z', 'infinity'),
);

/** Forged. */
const cursors = fc
  .oneof(
    fc.tuple(fc.oneof(instants, hostileText, fc.integer()), fc.uuid()),
    fc.array(fc.oneof(instants, fc.uuid(), hostileValue), { maxLength: 3 }),
  )
  .map((parts) => Buffer.from(writeJson(parts)).toString('base64url'));

/** Characters allowed by HTTP/1.1. */
const headerText = fc
  .string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: 300,
  })
  .map((text) => text.replace(/[\x7f-\x9f]/g, '').trim());

function arbitraryHeaders(
  { parameters }: Operation,
  known: KnownValues,
): fc.Arbitrary<Record<string, string>> {
  const own = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  const names = [
    'accept',
    'accept-encoding',
    'if-none-match',
    'x-forwarded-for',
    'origin',
    'range',
    'cookie',
  ];
  const fields = [...own, ...names].map((name) =>
    fc.tuple(fc.constant(name.toLowerCase()), chooseValue(name, known, headerText).map(String)),
  );
  return fc
    .subarray(fields)
    .chain((chosen) => fc.tuple(...chosen))
    .map((entries) => Object.fromEntries(entries));
}

function arbitraryBody(schema: JsonSchema, known: KnownValues): fc.Arbitrary<string | undefined> {
  const right = rightBody(schema, known);
  const choices = schema.anyOf ?? schema.oneOf ?? [schema];
  const names = [...new Set(choices.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const wrongField = fc
    .tuple(right, fc.constantFrom(...names, 'unknown'), hostileValue)
    .map(([body, name, value]) => writeJson({ ...body, [name]: value }));
  const bySchema = fc
    .tuple(right, fc.constantFrom(...names, 'unknown'), arbitraryValue(schema))
    .map(([body, name, other]) => writeJson({ ...body, [name]: (other as Record<string, unknown>)[name] }));
  const missing = fc
    .tuple(right, fc.subarray(names))
    .map(([body, gone]) =>
      writeJson(Object.fromEntries(Object.entries(body).filter(([name]) => !gone.includes(name)))),
    );
  // A literal would set the prototype.
  const prototypes = fc
    .tuple(right, fc.constantFrom('__proto__', 'constructor', 'prototype'), hostileValue)
    .map(([body, name, value]) =>
      writeJson(body).replace('{', () => `{"${name}":${writeJson({ role: 'admin', value })},`),
    )
    .map((text) => text.replace(',}', '}'));
  return fc.oneof(
    { weight: 3, arbitrary: right.map(writeJson) },
    { weight: 6, arbitrary: wrongField },
    { weight: 5, arbitrary: bySchema },
    { weight: 2, arbitrary: missing },
    { weight: 1, arbitrary: prototypes },
    { weight: 1, arbitrary: arbitraryValue(schema).map(writeJson) },
    { weight: 2, arbitrary: rawBodies },
  );
}

/** Valid fields only. */
function rightBody(schema: JsonSchema, known: KnownValues): fc.Arbitrary<Record<string, unknown>> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => rightBody(choice, known)));
  const { properties = {}, required = [] } = schema;
  return fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [
        name,
        chooseValue(name, known, arbitraryValue(field), 0.95),
      ]),
    ),
    { requiredKeys: required },
  );
}

/** Forms with the boundary `x`. */
const pictures = [
  '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\nno picture\r\n--x--',
  '--x\r\ncontent-disposition: form-data; name="image"; filename="../../a.svg"\r\ncontent-type: image/svg+xml\r\n\r\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>\r\n--x--',
  '--x\r\ncontent-disposition: form-data; name="image"\r\n\r\nno file\r\n--x--',
  '--x\r\ncontent-disposition: form-data; name="__proto__"; filename="a.png"\r\n\r\nno picture\r\n--x--',
  '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\nwithout an end',
  `${'--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\nGIF89a\r\n'.repeat(50)}--x--`,
  `--x\r\n${'a: b\r\n'.repeat(3000)}\r\n--x--`,
];

const rawBodies: fc.Arbitrary<string | undefined> = fc.oneof(
  fc.constantFrom(
    undefined,
    '',
    ' ',
    '{',
    '{}',
    '[]',
    'null',
    '"text"',
    '0',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}{"b":2}',
    '{"__proto__":{"role":"admin"}}',
    '{"constructor":{"prototype":{"role":"admin"}}}',
    '\ufeff{}',
    '{"a":\u0000}',
    '{"a":"\ud800"}',
    'NaN',
    '[1e400]',
    `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
    '{"a":'.repeat(10_000),
    `{"a":"${'x'.repeat(65_537)}"}`,
    ...pictures,
  ),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  hostileValue.map(writeJson),
);

/** A known value of a name, otherwise another one. */
const chooseValue = (
  name: string,
  known: KnownValues,
  other: fc.Arbitrary<unknown>,
  probability = 0.7,
): fc.Arbitrary<unknown> => {
  const values = known[name] ?? [];
  return values.length === 0 ? other : usually(fc.constantFrom(...values), other, 1 - probability);
};

/** Browsers replace lone surrogates in addresses. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed());
