import { listOrders } from '@parts-forge/contract/orders/orders';
import { readUserData, type UserData } from '@parts-forge/contract/people/accounts';
import {
  identityRefusals,
  identityServiceCalls,
  type SecondFactorSetUp,
  type Session,
  type SignedIn,
  type SignInMethod,
} from '@parts-forge/contract/people/identity-service';
import { deleteUser } from '@parts-forge/contract/people/users';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
import { useChange } from '#app/calls/use-change.ts';
import { IdentityError, SignedOutError } from '#app/http/errors.ts';
import { askIdentityService } from '#app/session/ask-identity-service.ts';
import { session } from '#app/session/session.ts';

type ServiceCall = (typeof identityServiceCalls)[keyof typeof identityServiceCalls];

/** These refusals mean a wrong code, not an ended session. */
const codeRefusals: readonly (string | null)[] = [
  identityRefusals.wrongCode,
  identityRefusals.wrongBackupCode,
];

/**
 * Calls the identity service with its session.
 * @throws SignedOutError when the session has ended, which the guard then sees; IdentityError, OfflineError
 */
async function askSignedIn<Answer>({ method, path }: ServiceCall, body?: object): Promise<Answer> {
  try {
    return await askIdentityService<Answer>(method, path, body);
  } catch (error) {
    const isOver =
      error instanceof IdentityError && error.status === 401 && !codeRefusals.includes(error.code);
    if (!isOver) throw error;
    session.expire('leave');
    throw new SignedOutError();
  }
}

/** This browser's sign-in, and whether a second factor is on. */
export const signedInQueryOptions = (email: string) =>
  queryOptions({
    queryKey: ['account', email, 'signed-in'],
    async queryFn() {
      const signedIn = await askSignedIn<SignedIn | null>(identityServiceCalls.readSession);
      if (signedIn) return signedIn;
      session.expire('leave');
      throw new SignedOutError();
    },
  });

/** True for an account without a password. */
export const hasOnlyGoogleQueryOptions = (email: string) =>
  queryOptions({
    queryKey: ['account', email, 'sign-in-methods'],
    queryFn: () => askSignedIn<SignInMethod[]>(identityServiceCalls.listSignInMethods),
    select: (methods) => methods.length > 0 && methods.every(({ providerId }) => providerId === 'google'),
  });

/** Most recently used first. */
export const sessionsQueryOptions = (email: string) =>
  queryOptions({
    queryKey: ['account', email, 'sessions'],
    queryFn: () => askSignedIn<Session[]>(identityServiceCalls.listSessions),
    select: (sessions) => sessions.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt)),
  });

const useServiceCall = <Body extends object, Answer>(call: ServiceCall) =>
  useChange((body: Body) => askSignedIn<Answer>(call, body), ['account']);

interface Confirmation {
  password: string;
}

/** Signs out every other browser. */
export const useChangePassword = () =>
  useServiceCall<{ currentPassword: string; newPassword: string }, unknown>(
    identityServiceCalls.changePassword,
  );

/** The second factor takes effect with a code given to `useConfirmSecondFactor`. */
export const useEnableSecondFactor = () =>
  useServiceCall<Confirmation, SecondFactorSetUp>(identityServiceCalls.enableSecondFactor);

/** Signs out every other browser. */
export const useConfirmSecondFactor = () =>
  useServiceCall<{ code: string }, unknown>(identityServiceCalls.verifyTotp);

/** The older codes become void. */
export const useMakeBackupCodes = () =>
  useServiceCall<Confirmation, { backupCodes: string[] }>(identityServiceCalls.makeBackupCodes);

/** Signs out every other browser. */
export const useDisableSecondFactor = () =>
  useServiceCall<Confirmation, unknown>(identityServiceCalls.disableSecondFactor);

/** Ends other browsers' sessions, one after the other. @param tokens of `Session` */
export const useEndSessions = () =>
  useChange(
    async (tokens: readonly string[]) => {
      for (const token of tokens) await askSignedIn(identityServiceCalls.endSession, { token });
    },
    ['account'],
  );

export function useReadUserData(email: string) {
  return useMutation({
    mutationFn: (): Promise<UserData> => callShop(readUserData, { params: { email } }),
  });
}

/** Number of unpaid orders, as the list writes it: `2`. */
export const unpaidOrderCountQueryOptions = (email: string) =>
  queryOptions({
    queryKey: ['orders', 'customer', email, 'unpaid-count'],
    queryFn: async ({ signal }) =>
      (await callList(listOrders, { query: { email, status: 'due', limit: '1' }, signal })).total,
  });

/**
 * Deletes one's own account, after a new sign-in if a password is given. Throws `sign-in-again` without one
 * when the sign-in is older than ten minutes, and `unpaid-orders`.
 */
export function useDeleteAccount(email: string) {
  return useMutation({
    async mutationFn(password: string | null) {
      if (password !== null) await signInAgain(email, password);
      await callShop(deleteUser, { params: { email } });
    },
  });
}

/** @throws IdentityError for a wrong password; SignedOutError if /login must ask for a second factor */
async function signInAgain(email: string, password: string): Promise<void> {
  if ((await session.signIn({ email, password })) === 'signed-in') return;
  session.expire('leave');
  throw new SignedOutError();
}
