import { expect, it } from 'vitest';
import { createPasswordHasher, HashingBusy } from './password-hash.ts';

it('a hash takes 19 MiB and two passes by default (OWASP)', async () => {
  const passwords = createPasswordHasher(0);
  const hash = await passwords.hash('a very secret one');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await passwords.hash('a very secret one')).not.toBe(hash);
});

it('a check uses the hash’s own cost, not the current one', async () => {
  const [cheap, costly] = [createPasswordHasher(0, { memoryKib: 64, passes: 1 }), createPasswordHasher(0)];
  for (const hash of [await cheap.hash('a very secret one'), await costly.hash('a very secret one')]) {
    expect(await cheap.verify('a very secret one', hash)).toBe(true);
    expect(await costly.verify('a very secret one', hash)).toBe(true);
    expect(await costly.verify('a very secret 0ne', hash)).toBe(false);
  }
  expect(await cheap.verify('a very secret one', 'a very secret one')).toBe(false);
});

it('a full queue refuses the next password', async () => {
  const passwords = createPasswordHasher(1, { memoryKib: 64, passes: 1 });
  // Two run, one waits.
  const taken = ['one', 'two', 'three'].map((password) => passwords.hash(password));
  await expect(passwords.hash('four')).rejects.toThrow(HashingBusy);
  expect(await Promise.all(taken)).toHaveLength(3);
  expect(await passwords.hash('four')).toMatch(/^\$argon2id/);
});
