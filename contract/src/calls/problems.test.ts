import { describe, expect, test } from 'vitest';
import { type ProblemCode, problemCode, problems, problemType } from './problems.ts';

const codes = Object.keys(problems) as ProblemCode[];

describe('a refusal', () => {
  test('has its code in its type', () => {
    expect(problemType('above-stock')).toBe('urn:parts-forge:problem:above-stock');
    expect(codes.map((code) => problemCode(problemType(code)))).toEqual(codes);
  });

  test.each([
    'about:blank',
    'urn:parts-forge:problem:',
    'urn:parts-forge:problem:unheard-of',
    'urn:parts-forge:problem:internal:',
    'urn:parts-forge:problex:internal',
    'URN:parts-forge:problem:internal',
    '',
    undefined,
    null,
    7,
    ['urn:parts-forge:problem:internal'],
  ])("has no code when it is not the shop's: %o", (type) => {
    expect(problemCode(type)).toBeNull();
  });
});

describe('the statuses of refusals (contract, "Refusals")', () => {
  test.each<[number, ProblemCode[]]>([
    [400, ['no-json', 'bad-request', 'bad-signature']],
    [401, ['sign-in-needed', 'identity-token-required', 'identity-invalid', 'identity-revoked']],
    [
      403,
      [
        'admin-needed',
        'customers-only',
        'second-factor-required',
        'sign-in-again',
        'email-not-verified',
        'scope-missing',
        'not-for-keys',
        'not-yours',
      ],
    ],
    [404, ['not-found']],
    [405, ['wrong-method']],
    [408, ['too-slow']],
    [
      409,
      [
        'dead-link',
        'email-in-use',
        'number-taken',
        'above-stock',
        'price-changed',
        'price-mismatch',
        'already-paid',
        'not-pending',
        'already-accepted',
        'not-accepted',
        'more-than-left',
        'not-due',
        'payment-processing',
        'payment-not-completed',
        'payment-of-other-order',
        'expired',
        'batch-full',
        'can-be-ordered',
        'too-many-wishes',
        'too-many-keys',
        'restored-copy',
        'too-many-unpaid',
        'no-invoice',
        'no-credit-note',
        'not-refundable',
        'already-refunded',
        'partly-refunded',
        'disputed',
        'payment-refunded',
        'order-cancelled',
        'order-ambiguous',
        'user-is-admin',
        'no-link-for-admin',
        'last-admin',
        'unpaid-orders',
        'stock-changed',
        'stock-limit',
      ],
    ],
    [412, ['version-changed']],
    [413, ['too-large']],
    [415, ['wrong-kind']],
    [
      422,
      [
        'invalid',
        'below-minimum',
        'wrong-step',
        'amount-too-large',
        'unknown-payment',
        'payment-refused',
        'key-reused',
      ],
    ],
    [428, ['header-required']],
    [429, ['cards-declined', 'too-many']],
    [500, ['internal']],
    [503, ['provider-broken', 'unavailable', 'overloaded']],
  ])('assign %i to %j', (status, expected) => {
    expect(codes.filter((code) => problems[code].status === status)).toEqual(expected);
  });

  test('have a title, some of them fixed by the specification', () => {
    expect(codes.filter((code) => problems[code].title.trim() === '')).toEqual([]);
    expect(problems['admin-needed'].title).toBe('Need Admin to access the page');
    expect(problems['already-paid'].title).toBe('Product Payment Already done');
    expect(problems['amount-too-large'].title).toBe('Amount must be no more than $999,999.99');
  });
});
