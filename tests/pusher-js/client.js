// A real Pusher client: subscribes to the given channels, and prints each event as a line.
// node client.js URL KEY TOKEN CHANNEL…

import Pusher from "pusher-js";

const [url, key, token, ...channels] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const print = (what) => console.log(JSON.stringify(what));

const pusher = new Pusher(key, {
  cluster: "local",
  wsHost: hostname,
  wsPort: Number(port),
  forceTLS: false,
  enabledTransports: ["ws"],
  disableStats: true,
  channelAuthorization: { endpoint: `${url}/pusher/auth`, headers: { authorization: `Bearer ${token}` } },
});

for (const name of channels) {
  const channel = pusher.subscribe(name);
  channel.bind("pusher:subscription_succeeded", () => print({ subscribed: name }));
  channel.bind("pusher:subscription_error", (error) => print({ refused: name, status: error.status }));
  channel.bind_global((event, data) => {
    if (!event.startsWith("pusher:")) print({ channel: name, event, data });
  });
}
