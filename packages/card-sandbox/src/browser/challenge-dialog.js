/** The payment may be cancelled elsewhere. */
const POLL_INTERVAL_MS = 1500;

/**
 * Shows the bank's page over the merchant's until the payment stops waiting for it.
 * @param {string} url
 * @param {() => Promise<boolean>} isWaiting whether the payment still waits for the customer
 * @param {() => Promise<void>} onEscape the customer gives up
 * @returns {Promise<void>}
 */
export function showChallenge(url, isWaiting, onEscape) {
  const { dialog, frame, showFailure } = createChallengeDialog();
  return new Promise((resolve) => {
    let isClosed = false;
    const closeWhenDone = async () => {
      // Two polls may overlap, so `isClosed` is checked again after the response.
      if (isClosed || (await isWaiting()) || isClosed) return;
      isClosed = true;
      clearInterval(polling);
      dialog.close();
      dialog.remove();
      resolve();
    };
    const polling = setInterval(closeWhenDone, POLL_INTERVAL_MS);
    frame.addEventListener('load', () => {
      const isFailed = isRefused(frame, url);
      frame.style.visibility = isFailed ? 'hidden' : 'visible';
      if (isFailed) showFailure(() => frame.contentWindow?.location.replace(url));
      else answerWithoutHistory(frame, closeWhenDone, showFailure);
      void closeWhenDone();
    });
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      void onEscape().then(closeWhenDone);
    });
    frame.src = url;
    document.body.append(dialog);
    dialog.style.display = 'grid';
    dialog.showModal();
  });
}

/**
 * Submits the bank's form by `fetch`: navigating the frame adds a history entry, so Back would stay on the
 * page once. This needs the merchant's origin; a form of another origin submits itself.
 * @param {HTMLIFrameElement} frame
 * @param {() => Promise<void>} onAnswer
 * @param {ShowFailure} onFailure the question stays and can be answered again
 */
function answerWithoutHistory(frame, onAnswer, onFailure) {
  const form = frame.contentDocument?.forms[0];
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form, event.submitter)) body.append(name, String(value));
    const send = () => {
      fetch(form.action, { method: 'POST', body }).then(
        ({ ok }) => (ok ? onAnswer() : onFailure(send)),
        () => onFailure(send),
      );
    };
    send();
  });
}

/**
 * Whether a refusal, which may not be framed, replaced the bank's page. Pages of other origins cannot be
 * inspected.
 * @param {HTMLIFrameElement} frame
 * @param {string} url
 */
function isRefused(frame, url) {
  const isOwn = new URL(url, location.href).origin === location.origin;
  return isOwn && !frame.contentDocument?.querySelector('main');
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
    gridTemplateRows: 'auto minmax(0, 1fr)',
  });
  const frame = document.createElement('iframe');
  frame.title = 'Bank challenge';
  frame.name = 'challengeFrame';
  Object.assign(frame.style, { display: 'block', width: '100%', height: '100%', border: '0' });
  const notice = document.createElement('div');
  notice.setAttribute('role', 'alert');
  dialog.append(notice, frame);
  return { dialog, frame, showFailure: createNotice(notice) };
}

/**
 * @typedef {(retry: () => void) => void} ShowFailure reports a failed request to the bank and offers a retry
 * @param {HTMLElement} notice
 * @returns {ShowFailure}
 */
function createNotice(notice) {
  return (retry) => {
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', textContent: 'Try again' });
    Object.assign(button.style, { marginLeft: '0.75rem', textDecoration: 'underline', minHeight: '1.5rem' });
    button.addEventListener('click', () => {
      notice.replaceChildren();
      notice.style.padding = '0';
      retry();
    });
    notice.style.padding = '1rem';
    notice.replaceChildren('The bank did not answer.', button);
  };
}
