import type { Scope } from '@parts-forge/contract/calls/policies';
import type { EventType } from '@parts-forge/contract/events/event-types';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { buildLoginPath } from '#app/session/return-path.ts';
import { session } from '#app/session/session.ts';
import { Button } from '#app/ui/button.tsx';
import { Field, FieldError } from '#app/ui/field.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';

/** A recent sign-in, asked for in the form when the shop wants one: what was filled in stays. */
export function useRecentSignIn() {
  const { email } = useSignedInUser();
  const [asks, setAsks] = useState<'password' | 'code' | null>(null);
  const attempt = async <Answer,>(
    { password = '', code = '' }: Partial<Record<string, string>>,
    call: () => Promise<Answer>,
  ) => {
    if (asks === 'password' && (await session.signIn({ email, password })) === 'code-asked') {
      setAsks('code');
      throw new Error('Enter the code of your app, too.');
    }
    if (asks === 'code') await session.confirmSignIn({ kind: 'time', code: code.trim() });
    setAsks(null);
    return call().catch((error) => {
      if (getProblemCode(error) === 'sign-in-again') setAsks('password');
      throw error;
    });
  };
  const field =
    asks === 'password' ? (
      <PasswordField label="Your password" name="password" autoComplete="current-password" ref={focus} />
    ) : (
      asks && <Field label="Code" name="code" inputMode="numeric" autoComplete="one-time-code" ref={focus} />
    );
  return { attempt, field };
}

const focus = (field: HTMLInputElement | null) => field?.focus();

/** After a refusal that asks for a recent sign-in. */
export function SignInAgain({ after }: { after: unknown }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  // A plain sign-out forgets this page.
  const signInAgain = async () => {
    await session.signOut();
    await navigate(buildLoginPath(pathname), { replace: true });
  };
  return (
    getProblemCode(after) === 'sign-in-again' && (
      <Button kind="line" size="bar" onClick={signInAgain}>
        Sign in again
      </Button>
    )
  );
}

interface CodeBoxesProps {
  legend: string;
  codes: readonly (Scope | EventType)[];
  error: string | undefined;
}

const meanings: Record<Scope | EventType, string> = {
  'catalogue:write': 'add and change parts',
  'stock:write': 'change stock',
  'orders:read': 'read orders with names and addresses',
  'orders:place': 'place orders in your name',
  'orders:accept': 'accept payments',
  'orders:ship': 'add parcels',
  'events:read': 'read what happens in the shop',
  'order.placed': 'a customer ordered',
  'order.paid': 'a payment came',
  'order.accepted': 'a payment was accepted',
  'order.shipped': 'a parcel was added',
  'order.cancelled': 'an order was cancelled',
  'order.expired': 'an unpaid order ended',
  'order.refunded': 'money was refunded',
  'order.disputed': 'a bank disputes a payment',
  'part.created': 'a part was added',
  'part.changed': 'a part was changed',
  'part.deleted': 'a part was deleted',
  'stock.changed': 'stock was added or corrected',
  'stock.low': 'a part runs low',
};

/** A box for each code word, by its name. */
export function CodeBoxes({ legend, codes, error }: CodeBoxesProps) {
  const boxes = useRef<HTMLFieldSetElement>(null);
  const chooseAll = () => {
    for (const box of boxes.current?.querySelectorAll('input') ?? []) box.checked = true;
  };
  return (
    <fieldset ref={boxes} className="pf-field">
      <legend className="text-sm font-medium">{legend}</legend>
      <button type="button" className="pf-link min-h-6 justify-self-start text-sm" onClick={chooseAll}>
        Choose all
      </button>
      <div className="grid">
        {codes.map((code) => (
          <label key={code} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input type="checkbox" name={code} className="checkbox checkbox-neutral size-6 rounded-[3px]" />
            <span>
              <Codes codes={[code]} /> <span className="text-sm text-muted">{meanings[code]}</span>
            </span>
          </label>
        ))}
      </div>
      {error && <FieldError>{error}</FieldError>}
    </fieldset>
  );
}

/** As a program writes them. */
export const Codes = ({ codes }: { codes: readonly string[] }) =>
  codes.map((code) => (
    <code
      key={code}
      translate="no"
      className="mr-1 inline-block rounded-selector border border-base-300 bg-base-200 px-1.5 text-micro leading-6 text-base-content"
    >
      {code}
    </code>
  ));
