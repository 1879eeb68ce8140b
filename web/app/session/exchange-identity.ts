import type { Given, Parsed } from '@parts-forge/contract/calls/call';
import type { exchangeIdentity as exchangeCall } from '@parts-forge/contract/people/identity';
import { SignedOutError } from '#app/http/errors.ts';
import { expectSuccess, readAnswer, sendRequest } from '#app/http/http.ts';
import type { IdentityUser } from './identity-client.ts';

// Handwritten, as in `embedded-identity.ts`: the calls' descriptions would load the validation library.

/** @throws SignedOutError for a rejected proof; ShopProblem */
export async function exchangeIdentity(user: IdentityUser, proof: string): Promise<string> {
  const body: Given<typeof exchangeCall.body> = { email: user.email, name: user.displayName };
  const response = await sendRequest(`/user/${encodeURIComponent(user.email)}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${proof}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status === 401) throw new SignedOutError();
  const answer = await readAnswer<Parsed<typeof exchangeCall.answer>>(await expectSuccess(response));
  return answer.token;
}

/** Survives leaving the page. */
export function revokeAccessToken(token: string): Promise<Response> {
  return sendRequest('/logout', {
    method: 'POST',
    keepalive: true,
    headers: { authorization: `Bearer ${token}` },
  });
}
