/** What happens, as it happens: the events of the network over Pusher's protocol. */

import type { Client } from "openapi-fetch";
import Pusher, { type Channel } from "pusher-js";

import { answer } from "./errors.js";
import type { Events } from "./events.js";
import type { paths } from "./schema.js";

export type { Channel };

/** The connection was ended because the person signed out, was banned, blocked somebody, or left a group. */
const TERMINATED = 4009;

/** Where the push provider is. */
export interface RealtimeOptions {
  key: string;
  /** Of Pusher itself; any word elsewhere. */
  cluster?: string;
  /** A server of one's own: `make dev` is one. */
  host?: string;
  port?: number;
  isEncrypted?: boolean;
}

/** A connection to the push provider. */
export interface Realtime {
  /** The channel of whoever is signed in. */
  readonly own: Channel;
  /** Joins the channel of a message group. */
  group(id: string): Promise<Channel>;
  /** Joins the channel of a circle. */
  circle(id: string): Promise<Channel>;
  /** Leaves a channel. */
  leave(channel: Channel): void;
  /** Ends the connection. */
  close(): void;
}

/** Hears an event of a channel. Returns what stops it. */
export function listen<Name extends keyof Events>(
  channel: Channel,
  name: Name,
  hear: (event: Events[Name]) => void,
): () => void {
  channel.bind(name, hear);
  return () => void channel.unbind(name, hear);
}

/** Connects, signs the connection in, and joins the person's own channel. */
export async function connectRealtime(api: Client<paths>, options: RealtimeOptions): Promise<Realtime> {
  const { data: me } = await answer(api.GET("/auth/me"));
  const pusher = new Pusher(options.key, settings(api, options));
  pusher.connection.bind("error", (error: { data?: { code?: number } }) => {
    // pusher-js gives up then; where the session has ended, the next authorization is refused.
    if (error.data?.code === TERMINATED) {
      pusher.connect();
    }
  });
  pusher.signin();
  const join = (name: string) => joined(pusher.subscribe(name));
  return {
    own: await join(`private-user-${me.id}`),
    group: (id) => join(`private-chat-${id}`),
    circle: (id) => join(`presence-circle-${id}`),
    leave: (channel) => pusher.unsubscribe(channel.name),
    close: () => pusher.disconnect(),
  };
}

function settings(api: Client<paths>, options: RealtimeOptions): ConstructorParameters<typeof Pusher>[1] {
  const { cluster = "own", host, port = 443, isEncrypted = host === undefined } = options;
  const own = host === undefined ? {} : { wsHost: host, wsPort: port, wssPort: port, enabledTransports: ["ws" as const] };
  return {
    cluster,
    forceTLS: isEncrypted,
    ...own,
    channelAuthorization: {
      transport: "ajax",
      endpoint: "/pusher/auth",
      customHandler: ({ socketId, channelName }, done) => {
        const body = { socket_id: socketId, channel_name: channelName };
        answer(api.POST("/pusher/auth", { body })).then(
          ({ auth, channel_data }) => done(null, channel_data ? { auth, channel_data } : { auth }),
          (error: Error) => done(error, null),
        );
      },
    },
    userAuthentication: {
      transport: "ajax",
      endpoint: "/pusher/user-auth",
      customHandler: ({ socketId }, done) => {
        answer(api.POST("/pusher/user-auth", { body: { socket_id: socketId } })).then(
          ({ auth, user_data }) => done(null, { auth, user_data }),
          (error: Error) => done(error, null),
        );
      },
    },
  };
}

function joined(channel: Channel): Promise<Channel> {
  return new Promise((done, fail) => {
    if (channel.subscribed) {
      done(channel);
    }
    channel.bind("pusher:subscription_succeeded", () => done(channel));
    channel.bind("pusher:subscription_error", (error: { status?: number }) => {
      fail(new Error(`${channel.name} was refused (${error.status ?? "no answer"})`));
    });
  });
}
