"""Realtime events over the Pusher protocol."""

import json
import time
from collections import deque
from dataclasses import dataclass

from httpx import TransportError
from social_api.api.auth import get_me
from social_api.api.realtime import authenticate_user, authorize_channel
from social_api.models import RealtimeConnection, RealtimeSubscription
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.sync.client import connect

from social.errors import ApiError

#: URL of a cluster at Pusher.
PUSHER = "wss://ws-{cluster}.pusher.com"
FIRST_PAUSE_SECONDS = 1
PAUSE_MAX_SECONDS = 60
#: Close codes after which the connection must not be opened again, except `TERMINATED`.
FINAL_CODES = range(4000, 4100)
#: Close code after the session ended, or after a block or removal ended a subscription.
TERMINATED = 4009
#: Interval of the pings that detect a lost connection.
PING_INTERVAL_SECONDS = 120
#: Number of event IDs that are remembered, to skip repeated events.
REMEMBERED_EVENTS = 1000


@dataclass(frozen=True)
class Event:
    """An event of a channel. `/docs/events` of the service describes the fields of `data`."""

    channel: str
    name: str
    data: dict


class Realtime:
    """A connection of a signed-in user. Iterate over it to receive events. Only one thread can use it.

    The connection is opened again after errors. The iteration ends with an ApiError when the session has ended, and
    with ConnectionClosed after a final close code.
    Events can be missing after an error. Read the lists again when `on_connect` is called, which happens after each
    connection.
    """

    def __init__(self, network, key, url, on_connect=lambda: None):
        self.network = network
        self.address = f"{url}/app/{key}?protocol=7&client=social-python&version=1.0"
        self.on_connect = on_connect
        self.channels = [f"private-user-{network.call(get_me).data.user_id}"]
        self.seen = deque(maxlen=REMEMBERED_EVENTS)
        self.socket = None
        self.is_closed = False
        self._open()

    def join_group(self, group):
        """Subscribes to the events of a message group."""
        self._join(f"private-chat-{group}")

    def join_circle(self, circle):
        """Subscribes to the events of a circle."""
        self._join(f"presence-circle-{circle}")

    def close(self):
        """Ends the connection and the iteration."""
        self.is_closed = True
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __iter__(self):
        while not self.is_closed:
            try:
                yield from self._events()
            except ConnectionClosed as closed:
                self._reopen(closed)

    def _events(self):
        while True:
            event = self._receive()
            is_own = event.name.startswith(("pusher:", "pusher_internal:"))
            key = event.data.get("eventId") if isinstance(event.data, dict) else None
            if is_own or (key is not None and key in self.seen):
                continue
            if key is not None:
                self.seen.append(key)
            yield event

    def _reopen(self, closed):
        code = closed.rcvd.code if closed.rcvd else None
        if self.is_closed:
            return
        if code in FINAL_CODES and code != TERMINATED:
            raise closed
        pause = FIRST_PAUSE_SECONDS
        while True:
            time.sleep(pause)
            try:
                return self._open()
            except (OSError, ConnectionClosed, InvalidHandshake, InvalidMessage, TransportError):
                pass
            except ApiError as error:
                if error.status < 500 and error.status != 429:
                    raise
            pause = min(pause * 2, PAUSE_MAX_SECONDS)

    def _open(self):
        self.socket = connect(self.address, ping_interval=PING_INTERVAL_SECONDS, legacy=True)
        self.socket_id = self._wait("pusher:connection_established").data["socket_id"]
        answer = self.network.call(authenticate_user, body=RealtimeConnection(socket_id=self.socket_id))
        self._send("pusher:signin", {"auth": answer.auth, "user_data": answer.user_data})
        self._wait("pusher:signin_success")
        for channel in list(self.channels):
            self._subscribe_again(channel)
        self.on_connect()

    def _subscribe_again(self, channel):
        """Forgets the channel of a group or circle that the user has left.

        If the API refuses the user's own channel, the session has ended.
        """
        try:
            self._subscribe(channel)
        except ApiError as error:
            if error.status != 403 or channel == self.channels[0]:
                raise
            self.channels.remove(channel)

    def _join(self, channel):
        self._subscribe(channel)
        self.channels.append(channel)

    def _subscribe(self, channel):
        body = RealtimeSubscription(socket_id=self.socket_id, channel_name=channel)
        answer = self.network.call(authorize_channel, body=body)
        data = {"channel": channel, "auth": answer.auth}
        if isinstance(answer.channel_data, str):
            data["channel_data"] = answer.channel_data
        self._send("pusher:subscribe", data)

    def _wait(self, name):
        while (event := self._receive()).name != name:
            pass
        return event

    def _receive(self):
        message = json.loads(self.socket.recv())
        name, data = message["event"], message.get("data")
        if name == "pusher:ping":
            self._send("pusher:pong", {})
        # The protocol sends most data as JSON in a string.
        data = json.loads(data) if isinstance(data, str) and data else data
        return Event(message.get("channel", ""), name, data or {})

    def _send(self, name, data):
        self.socket.send(json.dumps({"event": name, "data": data}))
