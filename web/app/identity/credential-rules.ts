import { loginSchema, registerSchema } from '@parts-forge/contract/people/identity';
import { resetPasswordSchema } from '@parts-forge/contract/people/identity-service';
import * as z from 'zod/mini';
import { timeCodeField } from './time-code.ts';
import type { Check, FieldMessages } from './use-checked-form.ts';

/** Form rules of the contract, with the specification's messages (§5). */

export const checkLogin = checkWith(loginSchema);
export const checkRegistration = checkWith(registerSchema);
export const checkEmail = checkWith(z.pick(loginSchema, { email: true }));
export const checkNewPassword = checkWith(resetPasswordSchema);
export const checkTimeCode = checkWith(z.object({ code: timeCodeField }));
export const checkBackupCode = checkWith(
  z.object({ code: z.string().check(z.trim(), z.minLength(1, 'Backup code is Required')) }),
);

/** Reports the first error of each field. */
function checkWith<Values>(schema: z.ZodMiniType<Values>): Check<Values> {
  return (entries) => {
    const { success, data, error } = schema.safeParse(entries);
    if (success) return { isRight: true, values: data };
    const messages = error.issues.map(({ path, message }) => [path[0], message] as const);
    return { isRight: false, errors: Object.fromEntries(messages.reverse()) as FieldMessages<Values> };
  };
}
