/** Realtime events over Pusher's protocol. */

import type { Client } from "openapi-fetch";
import Pusher, { type Channel } from "pusher-js";

import { answer } from "./errors.js";
import type { Events } from "./events.js";
import type { paths } from "./schema.js";

export type { Channel };

/** Code of a connection that ended because the user signed out, was banned, blocked a user, or left a group. */
const TERMINATED = 4009;

/** Address of the push provider. */
export interface RealtimeOptions {
  key: string;
  /** Cluster at Pusher. Other servers ignore it. */
  cluster?: string;
  /** Host of a different server, such as the local stack. Default: Pusher. */
  host?: string;
  port?: number;
  isEncrypted?: boolean;
}

/** A connection to the push provider. */
export interface Realtime {
  /** The channel of the signed-in user. */
  readonly own: Channel;
  /** Subscribes to the channel of a message group. */
  group(id: string): Promise<Channel>;
  /** Subscribes to the channel of a circle. */
  circle(id: string): Promise<Channel>;
  /** Unsubscribes from a channel. */
  leave(channel: Channel): void;
  /** Closes the connection. */
  close(): void;
}

/** Listens to an event of a channel. Returns a function that stops listening. */
export function listen<Name extends keyof Events>(
  channel: Channel,
  name: Name,
  handle: (event: Events[Name]) => void,
): () => void {
  channel.bind(name, handle);
  return () => void channel.unbind(name, handle);
}

/** Connects, signs in, and subscribes to the user's own channel. */
export async function connectRealtime(api: Client<paths>, options: RealtimeOptions): Promise<Realtime> {
  const { data: me } = await answer(api.GET("/auth/me"));
  const pusher = new Pusher(options.key, settings(api, options));
  pusher.connection.bind("error", (error: { data?: { code?: number } }) => {
    // pusher-js does not reconnect by itself. If the session has ended, the next authorization fails.
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
