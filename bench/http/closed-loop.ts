/** Closed loop: every connection sends its next request at once, so a server is fully loaded. */

import { Client } from 'undici';
import { ask, type LoadLoop, type LoopOptions } from './ask.ts';

/** Latency counts from when a request is asked, so a server that stands still is asked less. */
export function startClosedLoop(options: LoopOptions): LoadLoop {
  const { address, rawKey, connections, next, onAnswer, onFailure } = options;
  const headers = { 'X-API-Key': rawKey };
  let isStopped = false;

  async function askOn(connection: number): Promise<void> {
    const client = new Client(address);
    while (!isStopped) {
      const { path, check } = next();
      const startMs = performance.now();
      try {
        const answer = await ask(client, connection, path, headers);
        onAnswer(performance.now() - startMs);
        check(answer);
      } catch (error) {
        onFailure(error as Error, path);
      }
    }
    await client.close();
  }

  const ended = Promise.all(Array.from({ length: connections }, (_, i) => askOn(i)));
  return {
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}
