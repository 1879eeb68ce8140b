import { UnsecuredJWT } from 'jose';
import { createFirebaseIdentity } from '../../api/src/identity/firebase/firebase.ts';
import { firebaseIssuer } from '../../api/src/identity/firebase/firebase-endpoints.ts';
import { readClaims } from '../../api/src/identity/firebase/firebase-token.ts';
import type { IdentityProvider } from '../../api/src/identity/provider.ts';
import type { Clock } from '../../api/src/platform/core/clock.ts';
import type { FirebaseSettings } from '../../api/src/platform/core/config/firebase.ts';

interface EmulatorParts {
  settings: FirebaseSettings;
  clock: Clock;
  /** On this machine. */
  emulator: URL;
  /** For the emulator's token. */
  tokenUrl: string;
}

/**
 * Accepts unsigned tokens: nothing outside this folder may import it.
 * @throws Error in production, for an emulator on another machine, and for a project that could be real
 */
export function createEmulatorIdentity({
  settings,
  clock,
  emulator,
  tokenUrl,
}: EmulatorParts): IdentityProvider {
  const { projectId } = settings;
  if (process.env.NODE_ENV === 'production') throw new Error('The emulator is for tests.');
  if (emulator.hostname !== '127.0.0.1') throw new Error('The emulator runs on this machine.');
  if (!projectId.startsWith('demo-')) throw new Error('The project of the emulator begins with demo-.');
  return createFirebaseIdentity({
    settings,
    origin: `https://${settings.authDomain}`,
    clock,
    endpoints: {
      keys: '',
      accounts: new URL('/identitytoolkit.googleapis.com/v1', emulator).href,
      renewal: new URL('/securetoken.googleapis.com/v1/token', emulator).href,
      token: tokenUrl,
      helpers: new URL('/emulator', emulator).href,
    },
    // The look-up checks whose token it is.
    async checkToken(idToken) {
      const { payload } = UnsecuredJWT.decode(idToken, {
        issuer: firebaseIssuer(projectId),
        audience: projectId,
      });
      return readClaims(payload, clock.now());
    },
  });
}
