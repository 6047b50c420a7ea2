/** The local service, for the duration of a test. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";

/** The running service. */
export interface Stack {
  readonly url: string;
  /** Advances the clock, and waits until all due work is done. */
  advance(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the program at the path in the variable `LOCAL`. By default, the program chooses a free port. */
export async function start(port = 0): Promise<Stack> {
  const program = process.env["LOCAL"];
  if (program === undefined) {
    throw new Error("LOCAL must be the path of the program, as in make client-test");
  }
  const child = spawn(program, ["--port", String(port)], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await addressOf(child);
  const local = async (path: string, body?: object) => {
    const response = await fetch(`${url}/_local/${path}`, { method: "POST", body: JSON.stringify(body ?? {}) });
    if (!response.ok) {
      throw new Error(`${path}: ${await response.text()}`);
    }
  };
  return {
    url,
    async advance(advanceSeconds) {
      await local("clock", { advanceSeconds });
      await local("settle");
    },
    stop: () => stopped(child),
  };
}

/** Returns a free port. Passkeys work only if the program gets its port when it starts. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) {
    throw new Error("the service has no output");
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address !== undefined) {
      child.stdout.resume();
      return address;
    }
  }
  throw new Error("the service ended before it printed its address");
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.once("exit", () => done());
    child.kill();
  });
}
