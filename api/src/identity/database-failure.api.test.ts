import { describe, expect, it } from 'vitest';
import { askIdentity, newEmail } from '#test/identity.ts';
import { startForTest } from '#test/use-shop.ts';

describe('a database failure during a call', () => {
  it('keeps statement and password hash out of answer and log', async () => {
    const broken = await startForTest();
    await askIdentity(broken, '/jwks');
    await broken.pool.query('alter table identity.account rename to elsewhere');
    const answer = await askIdentity(broken, '/sign-up/email', {
      email: newEmail(),
      name: 'A',
      password: 'secret',
    });
    expect(answer.status).toBe(500);
    expect(answer.body.type).toBe('urn:parts-forge:problem:internal');
    expect(JSON.stringify([answer.body, broken.errors])).not.toMatch(/argon2|insert into|select "/i);
    broken.expectErrors(1);
  });
});
