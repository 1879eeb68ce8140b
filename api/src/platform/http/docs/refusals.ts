import type { Call } from '@parts-forge/contract/calls/call';
import { needsAccessToken, ROLES, refuseByOwner, refuseByRole } from '@parts-forge/contract/calls/policies';
import type { ProblemBody } from '@parts-forge/contract/calls/problem-body';
import { type ProblemCode, problems, problemType } from '@parts-forge/contract/calls/problems';
import { type Json, refHeaders } from './json.ts';

const headersByStatus: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Includes those of its caller, path, body and query. */
export function listRefusals(call: Call): ProblemCode[] {
  const codes = new Set<ProblemCode>(call.problems ?? []);
  const { policy } = call;
  const byPolicy = [null, ...ROLES].flatMap((role) => [
    refuseByRole(policy, role, false),
    refuseByRole(policy, role, false, true),
    role && refuseByOwner(policy, role, false),
    role && refuseByOwner(policy, role, false, true),
  ]);
  for (const code of byPolicy) if (code !== null) codes.add(code);
  if (needsAccessToken(policy.who)) codes.add(policy.scopes ? 'scope-missing' : 'not-for-keys');
  if (policy.who === 'upload-key') codes.add('sign-in-needed');
  // It may name nothing, or not decode to text.
  if (call.params) codes.add('not-found');
  // Bodies are read before the call is known to have none.
  if (call.method !== 'GET' && takesJson(call))
    for (const code of ['no-json', 'too-large', 'wrong-kind'] as const) codes.add(code);
  if (policy.who !== 'payment-provider') codes.add('invalid');
  if (Object.values(call.headers ?? {}).some(({ required }) => required)) codes.add('header-required');
  if (call.method !== 'GET') codes.add('too-slow');
  for (const code of ['too-many', 'internal', 'unavailable', 'overloaded'] as const) codes.add(code);
  return [...codes];
}

export function describeRefusals(call: Call): Json {
  const byStatus = Map.groupBy(listRefusals(call), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const schemas = codes.map((code) => ({ $ref: `#/components/schemas/${code}` }));
      const schema = schemas.length === 1 ? schemas[0] : { oneOf: schemas };
      return [
        status,
        {
          description: codes.map((code) => problems[code].title).join('; '),
          ...refHeaders(headersByStatus[status] ?? []),
          content: { 'application/problem+json': { schema } },
        },
      ];
    }),
  );
}

export const requiredMembers: { [code in ProblemCode]?: keyof ProblemBody } = {
  invalid: 'errors',
  'below-minimum': 'errors',
  'wrong-step': 'errors',
  'amount-too-large': 'errors',
  'key-reused': 'errors',
  'above-stock': 'quantity',
  'stock-changed': 'quantity',
  'stock-limit': 'quantity',
  'scope-missing': 'scope',
  'version-changed': 'current',
  'price-changed': 'price',
  'price-mismatch': 'total',
  internal: 'requestId',
  unavailable: 'requestId',
  overloaded: 'requestId',
  'provider-broken': 'requestId',
};

export const describeProblems = (codes: readonly ProblemCode[]): Json =>
  Object.fromEntries(
    codes.map((code) => {
      const { status, title } = problems[code];
      const member = requiredMembers[code];
      const schema: Json = {
        description: title,
        allOf: [{ $ref: '#/components/schemas/Problem' }],
        properties: { type: { const: problemType(code) }, status: { const: status } },
        ...(member && { required: [member] }),
      };
      return [code, schema];
    }),
  );

/** Forms and signed events are read otherwise. */
const takesJson = ({ multipart, file, policy }: Call) =>
  !multipart && !file && policy.who !== 'payment-provider';
