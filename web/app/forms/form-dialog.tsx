import { type ReactNode, useEffect, useId, useRef } from 'react';
import { FormError } from '#app/forms/form-error.tsx';
import { ShopProblem } from '#app/http/errors.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';

interface FormDialogProps {
  title: ReactNode;
  /** The label that closes the dialog; 'Not now' by default. */
  safe?: string;
  confirm: string;
  /** The call in progress and its last error. */
  state: { isPending: boolean; error: Error | null };
  onClose: () => void;
  /** Texts by the fields' names. */
  onSend: (texts: Partial<Record<string, string>>) => void;
  /** Receives the name and the shop's message of a field of the call. */
  children: (field: (name: string) => { name: string; error: string | undefined }) => ReactNode;
}

/** Asks for a few texts. The shop checks them. */
export function FormDialog(props: FormDialogProps) {
  const { title, safe = 'Not now', confirm, state, onClose, onSend, children } = props;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { isPending, error } = state;
  const close = () => isPending || onClose();
  const errors = error instanceof ShopProblem ? error.errors : [];
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  const send = (texts: FormData) =>
    onSend(Object.fromEntries([...texts].map(([name, value]) => [name, String(value)])));
  return (
    <Dialog
      title={title}
      onClose={close}
      actions={
        <>
          <Button kind="line" onClick={close}>
            {safe}
          </Button>
          <Button kind="primary" type="submit" form={id} busy={isPending} busyLabel="Saving…">
            {confirm}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={id}
        noValidate
        className="grid gap-4 pt-3 text-base-content"
        onSubmit={(event) => {
          event.preventDefault();
          const half = [...event.currentTarget.querySelectorAll('input')].find(isHalfTyped);
          if (half) half.reportValidity();
          else if (!isPending) send(new FormData(event.currentTarget));
        }}
      >
        {errors.length === 0 && <FormError error={error} />}
        {children((name) => ({ name, error: errors.find(({ path }) => path === name)?.message }))}
      </form>
    </Dialog>
  );
}

/** A day without its year is sent as an empty text, which may mean no end. */
const isHalfTyped = ({ validity }: HTMLInputElement): boolean => validity.badInput;
