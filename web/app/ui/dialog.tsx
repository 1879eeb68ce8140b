import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { useModal } from './use-modal.ts';

interface DialogProps {
  title: ReactNode;
  children: ReactNode;
  /** Makes it tall, for a list: heading, this sentence and actions stay, and the focus starts on the heading. */
  intro?: string;
  /** Called by Escape, the backdrop and the safe button; absent: only the actions close it. */
  onClose?: () => void;
  actions: ReactNode;
}

/**
 * A modal dialog, open while rendered. The focus starts on `data-focus-first` and returns to the opener. Heading
 * and actions stay in view; what is between them scrolls.
 */
export function Dialog({ title, children, intro, onClose, actions }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const ignoreOpeningPress = useOpeningPress();
  useModal(dialog);
  const pressBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose?.();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard's way out is Escape, which `cancel` handles.
    <dialog
      ref={dialog}
      // Else a second Escape closes it without asking.
      closedby={onClose ? 'closerequest' : 'none'}
      className={`modal max-sm:modal-bottom ${intro ? 'pf-tall' : ''}`.trimEnd()}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-${intro ? 'intro' : 'text'}`}
      onCancel={(event) => {
        // A file's choice and a dialog within it pass theirs on.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose?.();
      }}
      onClickCapture={ignoreOpeningPress}
      onClick={pressBackdrop}
    >
      <div className="modal-box max-w-md scroll-py-24 px-6 py-0">
        <div className="sticky top-0 z-10 -mx-6 bg-base-100 px-6 pt-6 pb-2">
          <h2
            id={`${id}-title`}
            className="display text-h3 outline-none"
            {...(intro && { tabIndex: -1, 'data-focus-first': true })}
          >
            {title}
          </h2>
          {intro && <p id={`${id}-intro`}>{intro}</p>}
        </div>
        <div id={`${id}-text`} className="text-muted">
          {children}
        </div>
        <div className="sticky bottom-0 z-10 -mx-6 mt-2 flex gap-3 bg-base-100 px-6 pt-4 pb-6 max-sm:flex-col-reverse sm:justify-end">
          {actions}
        </div>
      </div>
    </dialog>
  );
}

/** Ignores the second press of the double click that opened the dialog. */
function useOpeningPress(): (event: MouseEvent) => void {
  const isPressed = useRef(false);
  return (event) => {
    if (event.detail <= 1 || isPressed.current) {
      isPressed.current = true;
      return;
    }
    event.stopPropagation();
    // Otherwise it would submit a form.
    event.preventDefault();
  };
}

interface ConfirmProps extends Pick<DialogProps, 'title' | 'children' | 'intro'> {
  /** Beside the answers of a tall one. */
  foot?: ReactNode;
  /** The label that leaves things as they are: 'Keep order'. */
  safe: string;
  /** The label that acts: 'Cancel order'. */
  confirm: string;
  kind?: ButtonKind;
  busy?: boolean;
  busyLabel?: string;
  /** While what it asks for is invalid. */
  disabled?: boolean;
  /** The last attempt's error, which the children show. */
  failure?: unknown;
  onClose: () => void;
  onConfirm: () => void;
}

/**
 * A question with a safe and a confirming answer. It confirms once; the opener closes it when the work ends, also
 * after a failure, or gives the `failure` to let it be confirmed again.
 */
export function ConfirmDialog(props: ConfirmProps) {
  const {
    title,
    children,
    intro,
    foot,
    safe,
    confirm,
    kind = 'danger',
    busy = false,
    busyLabel,
    disabled = false,
    failure,
    onClose,
    onConfirm,
  } = props;
  const confirmOnce = useOnce(onConfirm, failure);
  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog
      title={title}
      {...(intro && { intro })}
      onClose={close}
      actions={
        <>
          {foot}
          <Button kind="line" data-focus-first onClick={close}>
            {safe}
          </Button>
          <Button
            kind={kind}
            busy={busy}
            disabled={disabled}
            {...(busyLabel && { busyLabel })}
            onClick={confirmOnce}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

/** `busy` comes one render too late for a double click. */
function useOnce(act: () => void, failure: unknown): () => void {
  const isDone = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure allows another attempt.
  useEffect(() => {
    isDone.current = false;
  }, [failure]);
  return () => {
    if (isDone.current) return;
    isDone.current = true;
    act();
  };
}
