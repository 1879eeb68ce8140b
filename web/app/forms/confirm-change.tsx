import type { UseMutationResult } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { FormError } from './form-error.tsx';

interface ConfirmChangeProps<Input>
  extends Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'safe' | 'confirm' | 'onClose' | 'children'> {
  change: UseMutationResult<unknown, Error, Input>;
  input: Input;
}

/** Asks before a change. Its refusal stays in the question. */
export function ConfirmChange<Input>({ change, input, children, ...question }: ConfirmChangeProps<Input>) {
  return (
    <ConfirmDialog
      {...question}
      busy={change.isPending}
      failure={change.error}
      onConfirm={() => change.mutate(input, { onSuccess: question.onClose })}
    >
      {children}
      <FormError error={change.error} className="mt-3" />
    </ConfirmDialog>
  );
}
