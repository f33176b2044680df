/** The soak's publisher, in a process of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PublisherMessage, PublisherRequest } from '../../test/faults/soak/publisher.ts';

const SCRIPT = fileURLToPath(new URL('../../test/faults/soak/publisher.ts', import.meta.url));

export interface Publisher {
  child: ChildProcess;
  /** Milliseconds of each publish since it began. */
  publishMs: number[];
  go(): void;
  /** Resolves when the running publish has ended. */
  pause(): Promise<void>;
}

/** Fills a store and publishes on each message. @param args Arguments of the script. */
export async function startPublisher(args: (string | number)[]): Promise<Publisher> {
  const child = spawn(process.execPath, [SCRIPT, ...args.map(String)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const publishMs: number[] = [];
  let paused = Promise.withResolvers<void>();
  child.on('message', (message: PublisherMessage) => {
    if (message.kind === 'published') publishMs.push(message.ms);
    if (message.kind === 'paused') paused.resolve();
  });
  child.on('exit', (code) => paused.reject(new Error(`publisher ended with ${code}`)));
  const tell = (request: PublisherRequest) => child.send(request);
  await paused.promise;
  publishMs.length = 0;
  return {
    child,
    publishMs,
    go() {
      paused = Promise.withResolvers();
      tell('go');
    },
    async pause() {
      tell('pause');
      await paused.promise;
    },
  };
}
