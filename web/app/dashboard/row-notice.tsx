import { CircleAlert } from 'lucide';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '#app/ui/button.tsx';
import { focusHeadingIfLost } from '#app/ui/focus-heading.ts';
import { Icon } from '#app/ui/icon.tsx';

interface RowNoticeProps {
  children: ReactNode;
  /** By default, as the button that led here is gone with its row. */
  takesFocus?: boolean;
  onDismiss: () => void;
}

export function RowNotice({ children, takesFocus = true, onDismiss }: RowNoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) notice.current?.focus();
  }, [takesFocus]);
  const dismiss = () => {
    onDismiss();
    requestAnimationFrame(() => focusHeadingIfLost());
  };
  return (
    <div
      ref={notice}
      tabIndex={-1}
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 outline-none"
    >
      <Icon of={CircleAlert} className="size-5 shrink-0 text-error" />
      <div className="min-w-0 flex-1 basis-60">{children}</div>
      <Button kind="line" size="row" onClick={dismiss}>
        Understood
      </Button>
    </div>
  );
}
