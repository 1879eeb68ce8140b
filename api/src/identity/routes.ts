import { RESET_LINK_SECONDS } from '@parts-forge/contract/calls/bounds';
import { createResetLink as createResetLinkCall } from '@parts-forge/contract/people/accounts';
import {
  confirmEmail as confirmEmailCall,
  sendVerificationMail as sendVerificationMailCall,
} from '@parts-forge/contract/people/email-verification';
import { exchangeIdentity as exchangeCall, logout } from '@parts-forge/contract/people/identity';
import {
  createKey as createKeyCall,
  deleteKey as deleteKeyCall,
  listKeys,
} from '@parts-forge/contract/people/keys';
import { sameEmail } from '@parts-forge/contract/text/text';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { bearerToken, requireOwnEmail, requireOwner } from '#src/platform/http/calls/access.ts';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import { createResetLink } from './create-reset-link.ts';
import { exchangeIdentity } from './exchange-identity.ts';
import type { IdentityServices } from './identity-services.ts';
import { createKey, deleteKey, findKeys } from './keys.ts';
import type { VerifiedIdentity } from './provider.ts';
import { confirmEmail, sendVerificationMail } from './verify-email.ts';

export async function registerIdentity(app: FastifyInstance, services: IdentityServices): Promise<void> {
  const { changes, clock, database, identity, tokens } = services;
  await identity.routes?.(app);

  // A scope of its own: checks the proof before the request is parsed (contract: 401 first).
  await app.register(async (scope) => {
    const proofs = new WeakMap<FastifyRequest, VerifiedIdentity>();
    // After rate limiting, as a wrong proof costs a signature check.
    scope.addHook('preParsing', async (request) => {
      const idToken = bearerToken(request);
      if (idToken === null) throw new Problem('identity-token-required');
      proofs.set(request, await identity.verify(idToken));
    });

    serveCall(scope, exchangeCall, async ({ params: { email }, body, request }) => {
      const proof = proofs.get(request);
      if (!proof) throw new Problem('identity-token-required');
      const isOwner = sameEmail(proof.email, email) && sameEmail(proof.email, body.email);
      requireOwner(exchangeCall, { role: 'user', lacksSecondFactor: false }, isOwner);
      return { acknowledged: true, ...(await exchangeIdentity(services, proof, body.name ?? null)) };
    });
  });

  serveCall(app, logout, async ({ actor }) => {
    await changes.write(async (tx, changed) => {
      const sessionId = await tokens.findSessionId(tx, actor.tokenHash);
      if (sessionId !== null) await identity.endSession?.(sessionId, tx);
      await tokens.end(tx, actor.tokenHash);
      changed('users');
    });
    return null;
  });

  serveCall(app, createKeyCall, ({ actor, body }) => createKey(services, actor, body));

  serveCall(app, listKeys, async ({ actor }) => ({
    data: await findKeys(database.db, actor, clock.now()),
  }));

  serveCall(app, deleteKeyCall, async ({ actor, params: { id } }) => {
    await deleteKey(services, actor, id);
    return { deletedCount: 1 };
  });

  serveCall(app, sendVerificationMailCall, async ({ actor, params: { email } }) => {
    requireOwnEmail(sendVerificationMailCall, actor, email);
    return sendVerificationMail(services, actor);
  });

  serveCall(app, confirmEmailCall, async ({ actor, params: { email }, body: { token } }) => {
    requireOwnEmail(confirmEmailCall, actor, email);
    return confirmEmail(services, actor, token);
  });

  serveCall(app, createResetLinkCall, async ({ actor, params: { email } }) => ({
    url: await createResetLink(services, actor, email),
    expiresIn: RESET_LINK_SECONDS,
  }));
}
