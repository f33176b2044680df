/** Requests of a load, with as little work as can be: who asks takes time from who answers. */

import { Client, util } from 'undici';

/** A connection, by its place; requests on it follow one another. */
export interface Asked {
  connection: number;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface Question {
  path: string;
  /** @throws the answer is not what it must be. */
  check(answer: Asked): void;
}

export interface LoopOptions {
  address: string;
  rawKey: string;
  connections: number;
  /** Returns the next request. */
  next: () => Question;
  /** @param latencyMs Until its whole answer is there. */
  onAnswer: (latencyMs: number) => void;
  /** A request that failed, or a check that threw. */
  onFailure: (error: Error, path: string) => void;
}

export interface LoadLoop {
  /** Asks no more, and resolves when all that was asked is answered. */
  stop(): Promise<void>;
}

/** Decodes only what is looked at: most checks of a load read the status alone. */
class Answer implements Asked {
  readonly connection: number;
  status = 0;
  headers: Asked['headers'] = {};
  readonly chunks: Buffer[] = [];

  constructor(connection: number) {
    this.connection = connection;
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }
}

/** Resolves when the whole answer is there. @throws the connection failed. */
export function ask(
  client: Client,
  connection: number,
  path: string,
  headers: Record<string, string>,
): Promise<Asked> {
  const answer = new Answer(connection);
  return new Promise((resolve, reject) => {
    client.dispatch(
      { path, method: 'GET', headers },
      {
        onConnect() {},
        onHeaders(status, headers) {
          answer.status = status;
          answer.headers = util.parseHeaders(headers);
          return true;
        },
        onData(chunk) {
          answer.chunks.push(chunk);
          return true;
        },
        onComplete: () => resolve(answer),
        onError: reject,
      },
    );
  });
}

/**
 * Sends the next request of every connection at once, so a server is fully loaded. Latency counts
 * from the request, so a server that stands still gets fewer.
 */
export function startClosedLoop(options: LoopOptions): LoadLoop {
  const { address, connections, next, onAnswer, onFailure } = options;
  const headers = { 'X-API-Key': options.rawKey };
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
