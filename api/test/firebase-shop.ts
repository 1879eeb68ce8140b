import type { FastifyInstance } from 'fastify';
import { buildApp } from '#src/app.ts';
import { createFirebaseIdentity } from '#src/identity/firebase/firebase.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Services } from '#src/services.ts';
import { newEmail } from './identity.ts';
import { PROJECT, type StandInGoogle, startStandInGoogle } from './stand-in-google.ts';
import { type ShopOptions, startShop, type TestShop } from './start-shop.ts';

export const SHOP_ORIGIN = 'https://parts.example';

export interface Person {
  uid: string;
  email: string;
  emailVerified: boolean;
  provider: 'password' | 'google.com';
}

export interface FirebaseShop {
  shop: TestShop;
  services: Services;
  app: FastifyInstance;
  google: StandInGoogle;
  aPerson(person?: Partial<Person>): Person;
  changeAccount(person: Person, change: object): void;
  signToken(person: Person): Promise<string>;
  exchange(
    person: Person,
    idToken?: string,
  ): Promise<{
    status: number;
    body: { token: string; type?: string; detail?: string };
    retryAfter: unknown;
  }>;
  /** `in`, or the code of the refusal. */
  readOutcome(person: Person, idToken?: string): Promise<string>;
  readRole(person: Person): Promise<string>;
  close(): Promise<void>;
}

/** @param privateKey of a service account that may delete */
export async function startFirebaseShop({
  privateKey,
  ...options
}: ShopOptions & { privateKey?: string } = {}): Promise<FirebaseShop> {
  const [shop, google] = await Promise.all([startShop(options), startStandInGoogle()]);
  const settings = {
    projectId: PROJECT,
    apiKey: 'a-public-key',
    authDomain: `${PROJECT}.firebaseapp.com`,
    serviceAccount: privateKey ? { clientEmail: 'shop@project.example', privateKey } : null,
  };
  const { clock } = shop.services;
  const identity = createFirebaseIdentity({
    settings,
    origin: SHOP_ORIGIN,
    clock,
    endpoints: google.endpoints,
  });
  const services = { ...shop.services, identity };
  const app = await buildApp(services);
  const exchange = async (person: Person, idToken?: string) => {
    const answer = await app.inject({
      method: 'PUT',
      url: `/user/${person.email}`,
      headers: { authorization: `Bearer ${idToken ?? (await signToken(google, person, clock))}` },
      payload: { email: person.email },
    });
    return { status: answer.statusCode, body: answer.json(), retryAfter: answer.headers['retry-after'] };
  };
  return {
    shop,
    services,
    app,
    google,
    aPerson: (person = {}) => register(google, person),
    changeAccount: ({ uid }, change) => Object.assign(google.accounts.get(uid) ?? {}, change),
    signToken: (person) => signToken(google, person, clock),
    exchange,
    async readOutcome(person, idToken) {
      const { status, body } = await exchange(person, idToken);
      return status === 200 ? 'in' : (body.type ?? '').replace('urn:parts-forge:problem:', '');
    },
    async readRole(person) {
      const { body } = await exchange(person);
      const headers = { authorization: `Bearer ${body.token}` };
      return (await app.inject({ url: `/user/${person.email}`, headers })).json().role;
    },
    async close() {
      await app.close();
      await Promise.all([shop.close(), google.close()]);
    },
  };
}

let registered = 0;

function register(
  google: StandInGoogle,
  { email = newEmail(), emailVerified = true, provider = 'google.com' }: Partial<Person>,
): Person {
  registered += 1;
  const uid = `uid-${registered}`;
  google.accounts.set(uid, {
    localId: uid,
    email,
    emailVerified,
    validSince: String(Math.floor(Date.now() / 1000) - 10),
    providerUserInfo: [{ providerId: provider }],
  });
  return { uid, email, emailVerified, provider };
}

function signToken(
  google: StandInGoogle,
  { uid, email, emailVerified, provider }: Person,
  clock: Clock,
): Promise<string> {
  const now = Math.floor(clock.now().getTime() / 1000);
  return google.sign({
    iss: `https://securetoken.google.com/${PROJECT}`,
    aud: PROJECT,
    sub: uid,
    email,
    email_verified: emailVerified,
    name: 'Amara Okafor',
    auth_time: now,
    iat: now,
    exp: now + 3600,
    firebase: { sign_in_provider: provider },
  });
}
