import { useLocation, useNavigate } from 'react-router';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { buildLoginPath } from '#app/session/return-path.ts';
import { session } from '#app/session/session.ts';
import { Button } from '#app/ui/button.tsx';
import { FieldError } from '#app/ui/field.tsx';

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
  codes: readonly string[];
  error: string | undefined;
}

/** A box for each code word, by its name. */
export function CodeBoxes({ legend, codes, error }: CodeBoxesProps) {
  return (
    <fieldset className="pf-field">
      <legend className="text-sm font-medium">{legend}</legend>
      <div className="grid sm:grid-cols-2">
        {codes.map((code) => (
          <label key={code} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input type="checkbox" name={code} className="checkbox checkbox-neutral size-6 rounded-[3px]" />
            <Codes codes={[code]} />
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
