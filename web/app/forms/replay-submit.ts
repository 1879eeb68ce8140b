import { type RefObject, useEffect } from 'react';

/**
 * Runs in the head: a form that is sent before its scripts are loaded must not go to the server as the browser would
 * send it, and the press must not be lost. The press is noted on the form, for `useReplaySubmit`.
 */
export const replaySubmitScript = `addEventListener('submit',function(e){var d=e.target.dataset;if('replay'in d){e.preventDefault();d.replay='pressed'}},true)`;

/** Spread onto a `form` together with `useReplaySubmit`: marks it for the script in the head. */
export const replaySubmitProps = { 'data-replay': '' };

/** Sends the form if it was pressed while the page was still loading. */
export function useReplaySubmit(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current;
    if (!element || element.dataset.replay === undefined) return;
    const wasPressed = element.dataset.replay === 'pressed';
    delete element.dataset.replay;
    if (wasPressed) element.requestSubmit();
  }, [form]);
}
