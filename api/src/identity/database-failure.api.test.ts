import { describe, expect, it } from 'vitest';
import { askIdentity, newEmail } from '#test/identity.ts';
import { startShop } from '#test/start-shop.ts';

describe('when the database fails in the middle', () => {
  it('neither the answer nor the log has the statement or the password’s hash', async () => {
    const broken = await startShop();
    try {
      await askIdentity(broken, '/jwks');
      await broken.services.database.pool.query('alter table identity.account rename to elsewhere');
      const answer = await askIdentity(broken, '/sign-up/email', {
        email: newEmail(),
        name: 'A',
        password: 'secret',
      });
      expect(answer.status).toBe(500);
      expect(answer.body.type).toBe('urn:parts-forge:problem:internal');
      expect(broken.errors).toHaveLength(1);
      expect(JSON.stringify([answer.body, broken.errors])).not.toMatch(/argon2|insert into|select "/i);
    } finally {
      await broken.close();
    }
  });
});
