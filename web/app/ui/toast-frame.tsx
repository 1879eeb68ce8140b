import { CircleAlert, CircleCheck, Info, X } from 'lucide';
import type { Ref } from 'react';
import { Link } from 'react-router';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';

export type ToastKind = 'success' | 'error' | 'info';

const icons = { success: CircleCheck, error: CircleAlert, info: Info };

export interface ToastLink {
  to: string;
  text: string;
}

interface ToastFrameProps {
  ref?: Ref<HTMLDivElement>;
  kind: ToastKind;
  text: string;
  link?: ToastLink | undefined;
  onDismiss: () => void;
}

/** Keeps white space, as one of the specification's texts ends with a space. */
export function ToastFrame({ ref, kind, text, link, onDismiss }: ToastFrameProps) {
  return (
    <div ref={ref} className="pf-toast" data-kind={kind}>
      <Icon of={icons[kind]} className="" />
      <div className="font-medium">
        <p className="whitespace-pre-wrap py-0">{text}</p>
        {link && (
          <Link to={link.to} className="pf-link font-semibold" onClick={onDismiss}>
            {link.text}
          </Link>
        )}
      </div>
      <IconButton icon={X} label="Dismiss message" className="-my-1 size-8" onClick={onDismiss} />
    </div>
  );
}
