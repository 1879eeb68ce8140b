// Runs in the popup after a sign-in with Google: reports the result to the shop's page until it confirms,
// then closes. A channel is their only link: Google's pages may cut off the opener.

/** Between attempts; the page may be busy. */
const RETRY_MS = 200;
/** Then the opener counts as closed. */
const GIVE_UP_MS = 5_000;

const parameters = new URLSearchParams(location.search);
const id = parameters.get('id');
const error = parameters.get('error');
const channel = new BroadcastChannel('google-sign-in');

try {
  document.documentElement.dataset.theme = localStorage.getItem('theme') === 'dark' ? 'dark' : 'light';
} catch {
  // Without storage the page stays light.
}

const tell = () => channel.postMessage({ id, error });
const telling = setInterval(tell, RETRY_MS);
const givingUp = setTimeout(giveUp, id === null ? 0 : GIVE_UP_MS);
channel.addEventListener('message', ({ data }) => {
  if (data.id !== id || !data.isHeard) return;
  clearInterval(telling);
  clearTimeout(givingUp);
  window.close();
});
tell();

function giveUp() {
  clearInterval(telling);
  const outcome = error === null ? 'You are signed in with Google.' : 'The sign-in with Google has failed.';
  document.querySelector('[role=status]').textContent = `${outcome} Close this window and go on in the shop.`;
}
