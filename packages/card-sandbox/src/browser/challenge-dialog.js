/** How often the payment is looked at while the bank's page is open: it may be cancelled elsewhere, in ms. */
const POLL_INTERVAL_MS = 1500;

/**
 * Shows the bank's page over the merchant's until the payment no longer waits for it.
 * @param {string} url
 * @param {() => Promise<boolean>} isWaiting whether the payment still waits for the customer's answer
 * @param {() => Promise<void>} onEscape the customer gives up
 * @returns {Promise<void>}
 */
export function showChallenge(url, isWaiting, onEscape) {
  const { dialog, frame } = createChallengeDialog();
  return new Promise((resolve) => {
    let isClosed = false;
    const closeWhenDone = async () => {
      // `isClosed` is looked at again after the answer, as two questions may be under way at once.
      if (isClosed || (await isWaiting()) || isClosed) return;
      isClosed = true;
      clearInterval(polling);
      dialog.close();
      dialog.remove();
      resolve();
    };
    const polling = setInterval(closeWhenDone, POLL_INTERVAL_MS);
    frame.addEventListener('load', () => {
      answerWithoutHistory(frame, closeWhenDone);
      void closeWhenDone();
    });
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      void onEscape().then(closeWhenDone);
    });
    frame.src = url;
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Sends the answer of the bank's form itself: a frame that navigates leaves an entry in the window's history, and Back
 * would stay on the page once. The bank of the sandbox has the merchant's origin; of another one the form is not seen
 * and goes by itself.
 * @param {HTMLIFrameElement} frame
 * @param {() => Promise<void>} onAnswer
 */
function answerWithoutHistory(frame, onAnswer) {
  const form = frame.contentDocument?.forms[0];
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form, event.submitter)) body.append(name, String(value));
    // Where it does not arrive, the question stays and can be answered again.
    fetch(form.action, { method: 'POST', body }).then(onAnswer, () => {});
  });
}

function createChallengeDialog() {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', 'Confirm the payment with your bank');
  Object.assign(dialog.style, {
    width: 'min(30rem, calc(100vw - 2rem))',
    height: 'min(18rem, calc(100dvh - 2rem))',
    margin: 'auto',
    padding: '0',
    border: '1px solid #828a91',
    borderRadius: '8px',
    overflow: 'hidden',
    background: 'Canvas',
  });
  const frame = document.createElement('iframe');
  frame.title = 'Bank challenge';
  frame.name = 'challengeFrame';
  Object.assign(frame.style, { display: 'block', width: '100%', height: '100%', border: '0' });
  dialog.append(frame);
  return { dialog, frame };
}
