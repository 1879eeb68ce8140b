import { type RefObject, useEffect } from 'react';

/** Runs in the head: a submit before hydration must neither navigate nor be lost. */
export const replaySubmitScript = `addEventListener('submit',function(e){var d=e.target.dataset;if('replay'in d){e.preventDefault();d.replay='pressed'}},true)`;

export const replaySubmitProps = { 'data-replay': '' };

export function useReplaySubmit(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current;
    if (!element || element.dataset.replay === undefined) return;
    const wasPressed = element.dataset.replay === 'pressed';
    delete element.dataset.replay;
    if (wasPressed) element.requestSubmit();
  }, [form]);
}
