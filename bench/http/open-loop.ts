/**
 * Requests at a steady rate, whatever the server does: latency counts from when a request was due,
 * so that a pause of the server is felt by all that were due in it.
 */

import { Client } from 'undici';
import { ask, type LoadLoop, type LoopOptions, type Question } from './ask.ts';

interface Due {
  question: Question;
  atMs: number;
}

/** Latency counts from when a request was due. */
export function startOpenLoop(options: LoopOptions & { ratePerS: number }): LoadLoop {
  const { address, ratePerS, connections, next, onAnswer, onFailure } = options;
  const clients = Array.from({ length: connections }, () => new Client(address));
  const free = [...clients.keys()];
  const due: Due[] = [];
  const headers = { 'X-API-Key': options.rawKey };
  const startMs = performance.now();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let asked = 0;
  let isStopped = false;

  async function askDue(connection: number, { question, atMs }: Due): Promise<void> {
    const { path, check } = question;
    try {
      const answer = await ask(clients[connection], connection, path, headers);
      onAnswer(performance.now() - atMs);
      check(answer);
    } catch (error) {
      onFailure(error as Error, path);
    }
    free.push(connection);
    sendDue();
  }

  function sendDue(): void {
    while (due.length > 0 && free.length > 0) askDue(free.shift() as number, due.shift() as Due);
    if (isStopped && due.length === 0 && free.length === connections) end();
  }

  const timer = setInterval(() => {
    const wanted = ((performance.now() - startMs) / 1000) * ratePerS;
    for (; asked < wanted; asked++) {
      due.push({ question: next(), atMs: startMs + (asked * 1000) / ratePerS });
    }
    sendDue();
  }, 1);

  return {
    async stop() {
      clearInterval(timer);
      isStopped = true;
      due.length = 0;
      sendDue();
      await ended;
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}
