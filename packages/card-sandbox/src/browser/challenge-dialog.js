/** How often the payment is looked at while the bank's page is open: it may be cancelled elsewhere, in ms. */
const LOOK_EVERY_MS = 1500;

/**
 * Shows the bank's page over the shop's until the payment no longer waits for it. Escape gives up.
 * @param {string} address
 * @param {() => Promise<boolean>} isWaiting whether the payment still waits for the customer's answer
 * @param {() => Promise<void>} giveUp
 * @returns {Promise<void>}
 */
export function showChallenge(address, isWaiting, giveUp) {
  return new Promise((resolve) => {
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

    let closed = false;
    const look = async () => {
      if (closed || (await isWaiting()) || closed) return;
      closed = true;
      clearInterval(looking);
      dialog.close();
      dialog.remove();
      resolve();
    };
    const looking = setInterval(look, LOOK_EVERY_MS);
    frame.addEventListener('load', look);
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      void giveUp().then(look);
    });
    frame.src = address;
    dialog.append(frame);
    document.body.append(dialog);
    dialog.showModal();
  });
}
