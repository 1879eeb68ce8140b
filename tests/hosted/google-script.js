// Stand-in for https://apis.google.com/js/api.js, on the shop's page and in Firebase's frame: passes named
// messages between both. The rest of the popup sign-in is real.
(() => {
  function connect(peer) {
    const handlers = new Map([['ping', () => ({})]]);
    const replies = new Map();
    let held = [];
    let isThere = window.parent !== window;
    const unsent = [];
    let count = 0;
    const post = (message) => (isThere ? peer().postMessage(message, '*') : unsent.push(message));
    const answer = async ({ id, name, data }) => {
      post({ gapi: 'reply', id, result: [await handlers.get(name)(data)] });
    };
    window.addEventListener('message', ({ source, data }) => {
      if (source !== peer() || !data?.gapi) return;
      if (data.gapi === 'there') {
        isThere = true;
        unsent.splice(0).forEach(post);
      } else if (data.gapi === 'reply') {
        // Firebase's client throws at the end of its handlers; Google's script ignores that.
        try {
          replies.get(data.id)?.(data.result);
        } catch {}
      } else if (handlers.has(data.name)) {
        answer(data);
      } else {
        held.push(data);
      }
    });
    return {
      register(name, handler) {
        handlers.set(name, handler);
        const waiting = held.filter((each) => each.name === name);
        held = held.filter((each) => each.name !== name);
        waiting.forEach(answer);
      },
      send(name, data, onReply = () => {}) {
        count += 1;
        replies.set(count, onReply);
        post({ gapi: 'call', id: count, name, data });
      },
      ping(onReply) {
        return new Promise((resolve) => {
          this.send('ping', null, () => {
            onReply();
            resolve();
          });
        });
      },
      restyle: async () => {},
    };
  }

  function open({ where, url }, onOpen) {
    const frame = document.createElement('iframe');
    frame.src = url;
    frame.hidden = true;
    where.append(frame);
    return onOpen(connect(() => frame.contentWindow));
  }

  const parent = window.parent === window ? null : connect(() => window.parent);
  const context = { open, getParentIframe: () => parent };
  window.gapi = {
    load: (_names, { callback }) => callback(),
    iframes: { CROSS_ORIGIN_IFRAMES_FILTER: null, Iframe: {}, getContext: () => context },
  };
  if (parent) window.parent.postMessage({ gapi: 'there' }, '*');
  const onLoad = new URL(document.currentScript.src).searchParams.get('onload');
  window[onLoad ?? 'gapi_onload']();
})();
