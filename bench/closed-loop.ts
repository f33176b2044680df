/** As many requests as a server answers: every connection asks again at once. */

import { Client } from 'undici';
import type { Question } from './open-loop.ts';

export interface ClosedLoopOptions {
  address: string;
  rawKey: string;
  connections: number;
  durationMs: number;
  next: () => Question;
}

/** @returns answers a second. */
export async function answersPerS(options: ClosedLoopOptions): Promise<number> {
  const { address, rawKey, connections, durationMs, next } = options;
  const headers = { 'X-API-Key': rawKey };
  const startMs = performance.now();
  let count = 0;
  async function askOn(connection: number): Promise<void> {
    const client = new Client(address);
    while (performance.now() < startMs + durationMs) {
      const { path, check } = next();
      const answer = await client.request({ path, method: 'GET', headers });
      const text = await answer.body.text();
      check({ connection, status: answer.statusCode, headers: answer.headers, text });
      count++;
    }
    await client.close();
  }
  await Promise.all(Array.from({ length: connections }, (_, connection) => askOn(connection)));
  return (count / (performance.now() - startMs)) * 1000;
}
