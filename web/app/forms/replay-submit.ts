import { type RefObject, useEffect } from 'react';

/**
 * Runs in the head: a form that was sent before its page came to life must not go to the server as the browser
 * would send it, and the press must not be lost. It is kept on the form until `useReplaySubmit` finds it.
 */
export const replaySubmitScript = `addEventListener('submit',function(e){var d=e.target.dataset;if('waiting'in d){e.preventDefault();d.waiting='pressed'}},true)`;

/** Spread onto a `form` together with `useReplaySubmit`: it waits from the first byte of the page on. */
export const replaySubmitProps = { 'data-waiting': '' };

/** Brings a form to life: sends it if it was pressed while the page was still loading. */
export function useReplaySubmit(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current;
    if (!element || element.dataset.waiting === undefined) return;
    const pressed = element.dataset.waiting === 'pressed';
    delete element.dataset.waiting;
    if (pressed) element.requestSubmit();
  }, [form]);
}
