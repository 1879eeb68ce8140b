// Runs in the window of a sign-in with Google once Google has sent it back: tells the shop's page how it went, until
// that has heard it, and closes the window. The two have no other way to reach each other: Google's pages may cut the
// window off from the page that opened it.

/** Between two tries; the page may be busy. */
const RETRY_MS = 200;
/** After which the page that opened the window counts as gone. */
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
