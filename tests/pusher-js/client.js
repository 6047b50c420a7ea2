// A real Pusher client: subscribes to the channels it is told and prints what it hears, a line each.
// node client.js URL KEY TOKEN CHANNEL…

import Pusher from "pusher-js";

const [url, key, token, ...channels] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const say = (what) => console.log(JSON.stringify(what));

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
  channel.bind("pusher:subscription_succeeded", () => say({ subscribed: name }));
  channel.bind("pusher:subscription_error", (error) => say({ refused: name, status: error.status }));
  channel.bind_global((event, data) => {
    if (!event.startsWith("pusher:")) say({ channel: name, event, data });
  });
}
