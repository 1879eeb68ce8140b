import { newEmailPattern } from '@parts-forge/contract/text/text';
import { regexes } from 'zod';

/**
 * Better Auth uses Zod's `z.email()`, which refuses `r&d@` and `@check.xn--p1ai`, and has no setting for
 * that.
 */
export function acceptContractEmails(): void {
  Object.defineProperty(regexes.email, 'test', {
    configurable: true,
    value: (text: string) => newEmailPattern.test(text),
  });
}
