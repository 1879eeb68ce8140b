import { newEmailPattern } from '@parts-forge/contract/text';
import { regexes } from 'zod';

/**
 * Lets the identity service take every address that the shop's pages take. Better Auth holds addresses against Zod's
 * `z.email()` and has no setting for that; Zod's own expression knows neither `r&d@` nor `@check.xn--p1ai`. The shop uses
 * `z.email()` nowhere itself.
 */
export function acceptContractEmails(): void {
  Object.defineProperty(regexes.email, 'test', {
    configurable: true,
    value: (text: string) => newEmailPattern.test(text),
  });
}
