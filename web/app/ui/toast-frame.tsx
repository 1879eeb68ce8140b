import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import type { Ref } from 'react';
import { Icon } from './icon.tsx';

export type ToastKind = 'success' | 'error' | 'info';

const icons = { success: CircleCheck, error: CircleAlert, info: Info };

interface ToastFrameProps {
  ref?: Ref<HTMLDivElement>;
  kind: ToastKind;
  text: string;
  onDismiss: () => void;
}

/** How a toast looks. White space in its text is kept, as one of the specification's texts ends with a space. */
export function ToastFrame({ ref, kind, text, onDismiss }: ToastFrameProps) {
  return (
    <div ref={ref} className="pf-toast" data-kind={kind}>
      <Icon of={icons[kind]} className="" />
      <p className="whitespace-pre-wrap py-0 font-medium">{text}</p>
      <button
        type="button"
        className="btn btn-ghost btn-square -my-1 size-8"
        aria-label="Dismiss message"
        onClick={onDismiss}
      >
        <Icon of={X} className="size-4" />
      </button>
    </div>
  );
}
