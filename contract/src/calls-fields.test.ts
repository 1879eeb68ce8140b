import { describe, expect, test } from 'vitest';
import { takes } from '../test/schema.ts';
import { type Call, tags } from './call.ts';
import { calls } from './calls.ts';

type CallName = keyof typeof calls;

const of = (name: CallName): Call => calls[name];
const names = Object.keys(calls) as CallName[];
const namesWith = (member: keyof Call) => names.filter((name) => of(name)[member] !== undefined);
const table = <Value>(member: keyof Call) =>
  Object.fromEntries(namesWith(member).map((name) => [name, of(name)[member] as Value]));

describe('the calls', () => {
  test('are in the chapters of /docs', () => {
    expect(Object.keys(tags)).toEqual([
      'Products',
      'Orders',
      'Payments',
      'Reviews',
      'Users',
      'Pictures',
      'Administration',
      'Shop',
    ]);
  });

  test('are said in a few words', () => {
    expect(names.filter((name) => of(name).summary.trim() === '')).toEqual([]);
    expect(namesWith('description').filter((name) => of(name).description === '')).toEqual([]);
  });

  test('with a body are those that write something', () => {
    expect(namesWith('body')).toEqual([
      'addProduct',
      'restockProduct',
      'changeProduct',
      'changeStock',
      'changeProducts',
      'placeOrder',
      'acceptPayment',
      'refundOrder',
      'placeBatch',
      'writeBatchLine',
      'addBatchLines',
      'joinBatch',
      'openPayment',
      'recordPayment',
      'receivePaymentEvent',
      'createDownload',
      'addReview',
      'exchangeIdentity',
      'updateProfile',
      'changeRole',
      'confirmEmail',
      'takeUpload',
    ]);
  });

  test('with a query are the lists, the counts beside one, the parts that are watched, an order that may be closed, and the upload by its key', () => {
    const fields = namesWith('query').map((name) => [name, Object.keys(of(name).query?.shape ?? {})]);
    expect(Object.fromEntries(fields)).toEqual({
      listProducts: ['limit', 'after', 'q', 'available', 'kind', 'fits', 'sort', 'similar'],
      readProductFacets: ['q', 'available', 'kind', 'fits'],
      watchProducts: ['products'],
      listOrders: ['limit', 'after', 'email', 'user', 'status', 'q', 'closed', 'acceptedSince', 'batch'],
      readOrder: ['closed'],
      listReviews: ['limit', 'after'],
      listUsers: ['limit', 'after', 'q', 'role'],
      listActivity: ['limit', 'after', 'who', 'what', 'from', 'to', 'q'],
      readStockLedger: ['limit', 'after'],
      listMail: ['limit', 'after', 'state'],
      openUpload: ['bytes'],
      uploadImage: ['key'],
    });
  });

  test('that are lists are answered page by page', () => {
    expect(table('paged')).toEqual({
      listProducts: 'rows',
      listOrders: 'data',
      listReviews: 'rows',
      listUsers: 'rows',
      listActivity: 'data',
      readStockLedger: 'data',
      listMail: 'data',
    });
  });

  test('that are the same for everyone say what they depend on', () => {
    const listTags = (name: CallName) => of(name).dependsOn?.({ id: 'x' }, { available: 'true' });
    expect(Object.fromEntries(namesWith('dependsOn').map((name) => [name, listTags(name)]))).toEqual({
      readConfig: ['config'],
      listProducts: ['products'],
      readProductFacets: ['products'],
      readProduct: ['product:x'],
      listReviews: ['reviews'],
    });
    expect(calls.readProductFacets.dependsOn?.(undefined, {})).toEqual(['catalogue']);
  });

  test('with a limit on rates of their own are the costly ones, and the events of the provider', () => {
    expect(table('rateLimit')).toEqual({
      watchProducts: { requests: 600, seconds: 60 },
      openPayment: { requests: 120, seconds: 60 },
      receivePaymentEvent: { requests: 12_000, seconds: 60 },
      createDownload: { requests: 60, seconds: 60 },
      addBatchLines: { requests: 60, seconds: 60 },
      joinBatch: { requests: 60, seconds: 60 },
      exchangeIdentity: { requests: 60, seconds: 60 },
      readUserData: { requests: 10, seconds: 60 },
      sendVerificationMail: { requests: 5, seconds: 300 },
      confirmEmail: { requests: 10, seconds: 60 },
    });
  });

  test('that answer nothing but success are the end of a session', () => {
    expect(table('empty')).toEqual({ logout: true });
  });

  test('that go on are the figures of parts as they change', () => {
    const events = namesWith('events').map((name) => [name, Object.keys(of(name).events ?? {})]);
    expect(Object.fromEntries(events)).toEqual({ watchProducts: ['product', 'gone'] });
  });

  test('with a header of their own are the orders, and what must not be done twice', () => {
    expect(namesWith('headers')).toEqual([
      'changeProduct',
      'changeStock',
      'changeProducts',
      'placeOrder',
      'placeBatch',
    ]);
    const required = namesWith('headers').filter((name) =>
      Object.values(of(name).headers ?? {}).some((header) => header.required),
    );
    expect(required).toEqual(['changeProduct', 'changeStock']);
    const header = calls.placeOrder.headers?.['Idempotency-Key'];
    expect(header?.description.trim()).not.toBe('');
  });

  test('that take a file are the upload of pictures', () => {
    expect(table('multipart')).toEqual({
      uploadImage: {
        field: 'image',
        types: ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'],
        maxBytes: 10_485_760,
      },
    });
  });
});

describe('the parameters of a path', () => {
  const withParameter = (parameter: string) =>
    names.filter((name) => parameter in (of(name).params?.shape ?? {}));

  test('called id are ids', () => {
    for (const name of withParameter('id'))
      expect(takes(calls[name].params as never, { id: 'x' })).toBe(false);
  });

  test('called email may be any text', () => {
    for (const name of withParameter('email')) {
      expect(takes(calls[name].params as never, { email: 'x' })).toBe(true);
    }
  });
});
