import { type MouseEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { focusHeadingIfLost } from './focus-heading.ts';

interface DialogProps {
  /** Names the thing: 'Cancel this order?' */
  title: ReactNode;
  /** What is affected and what follows. */
  children: ReactNode;
  /** Escape, the backdrop and the safe button all mean this. */
  onClose: () => void;
  actions: ReactNode;
}

/**
 * A modal dialog, open as long as it is rendered: centred, on phones a sheet at the bottom. The focus starts
 * on the element with `data-focus-first` (the safe button, or the field that is to be filled) and goes back to the opener
 * when it closes.
 */
export function Dialog({ title, children, onClose, actions }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const ignoreOpeningPress = useOpeningPress();
  useModal(dialog);
  const pressBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard's way out is Escape, which `cancel` handles.
    <dialog
      ref={dialog}
      className="modal max-sm:modal-bottom"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClickCapture={ignoreOpeningPress}
      onClick={pressBackdrop}
    >
      <div className="modal-box max-w-md p-6">
        <h2 id={`${id}-title`} className="display text-h3">
          {title}
        </h2>
        <div id={`${id}-text`} className="mt-2 text-muted">
          {children}
        </div>
        <div className="mt-6 flex gap-3 max-sm:flex-col-reverse sm:justify-end">{actions}</div>
      </div>
    </dialog>
  );
}

/** Opens the dialog, and gives the focus back when it closes. */
function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    element?.querySelector<HTMLElement>('[data-focus-first]')?.focus();
    return () => {
      element?.close();
      // The opener may be gone with its row: then the heading over the list is the nearest place.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else focusHeadingIfLost();
    };
  }, [dialog]);
}

/** The second press of a double click on what opened the dialog neither answers nor closes it. */
function useOpeningPress(): (event: MouseEvent) => void {
  const isPressed = useRef(false);
  return (event) => {
    if (event.detail <= 1 || isPressed.current) {
      isPressed.current = true;
      return;
    }
    event.stopPropagation();
    // Else a form would be sent.
    event.preventDefault();
  };
}

interface ConfirmProps {
  title: ReactNode;
  children: ReactNode;
  /** What stays: 'Keep order'. */
  safe: string;
  /** The verb again: 'Cancel order'. */
  confirm: string;
  kind?: ButtonKind;
  busy?: boolean;
  busyLabel?: string;
  onClose: () => void;
  onConfirm: () => void;
}

/**
 * A question with a safe and a doing answer. While busy it cannot be closed by accident. It is confirmed once, however
 * often its button is pressed: whoever opened it closes it when the work is done, whatever came of it.
 */
export function ConfirmDialog(props: ConfirmProps) {
  const {
    title,
    children,
    safe,
    confirm,
    kind = 'danger',
    busy = false,
    busyLabel,
    onClose,
    onConfirm,
  } = props;
  const isConfirmed = useRef(false);
  const close = () => {
    if (!busy) onClose();
  };
  const confirmOnce = () => {
    // `busy` comes a render too late for the second press of a double click.
    if (isConfirmed.current) return;
    isConfirmed.current = true;
    onConfirm();
  };
  return (
    <Dialog
      title={title}
      onClose={close}
      actions={
        <>
          <Button kind="line" data-focus-first onClick={close}>
            {safe}
          </Button>
          <Button kind={kind} busy={busy} {...(busyLabel && { busyLabel })} onClick={confirmOnce}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
