/** The load balancer of the fleet, in front of servers of this machine. */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/redis-server.ts';
import { caddy } from '../support/tools.ts';
import { root } from './files.ts';

export interface Balancer {
  process: ChildProcess;
  address: string;
}

/** Starts Caddy with `deploy/Caddyfile`, without TLS. */
export async function startBalancer(home: string, ports: readonly number[]): Promise<Balancer> {
  const address = `http://127.0.0.1:${await freePort()}`;
  const config = ['--config', join(root, 'deploy/Caddyfile'), '--adapter', 'caddyfile'];
  const servers = ports.map((port) => `127.0.0.1:${port}`).join(' ');
  const process = spawn(String(caddy), ['run', ...config], {
    env: { PATH: globalThis.process.env.PATH, HOME: home, SITE: address, SERVERS: servers },
    stdio: 'ignore',
  });
  return { process, address };
}

/** Between two requests: some are always under way, and the machine is not full. */
const PAUSE_MS = 5;

/** Sends requests to a server one after the other until it is stopped. */
export function startClient(url: string, headers: Record<string, string>) {
  const statuses = new Map<string, number>();
  let isRunning = true;
  const ended = (async () => {
    while (isRunning) {
      const told = await fetch(url, { headers }).then(
        ({ status }) => String(status),
        (error: Error) => error.message,
      );
      statuses.set(told, (statuses.get(told) ?? 0) + 1);
      await delay(PAUSE_MS);
    }
  })();
  return {
    count: (status: string) => statuses.get(status) ?? 0,
    async stop() {
      isRunning = false;
      await ended;
      return [...statuses.keys()];
    },
  };
}
