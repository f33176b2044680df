/**
 * Connections of BullMQ to the Redis of a night. BullMQ's own queues and workers run over it; a
 * connection breaks before a command or before its reply, and the driver then sends it again.
 */

import { EventEmitter } from 'node:events';
import { QueueKeys, RedisQueueBackend } from 'bullmq';
import { current, simulation } from '../simulation.ts';
import { type Ended, JobServer } from './job-server.ts';

/** Times of a command and of a new connection, in simulated milliseconds. */
const COMMAND_MS = 2;
const CONNECT_MS = 50;

/** A Redis with its queues. Those who wait for work in one are called when there is some. */
export class Jobs extends JobServer {
  /** By the call that wakes them. */
  readonly waiting = new Map<() => void, string>();
  /** Names of connected workers. */
  readonly workers = new Map<object, string>();

  wake(): void {
    for (const [wake, queueKey] of [...this.waiting]) {
      if (this.queue(queueKey).marked.size > 0) wake();
    }
  }
}

/** Queues of the night. */
export let jobs = new Jobs();

export function newJobs(): Jobs {
  jobs = new Jobs();
  return jobs;
}

export interface Options {
  prefix?: string;
  connection?: { maxRetriesPerRequest?: number | null };
  lockDuration?: number;
  stalledInterval?: number;
  maxStalledCount?: number;
  removeOnComplete?: Ended['keep'];
  removeOnFail?: Ended['keep'];
}

export abstract class Connection extends EventEmitter {
  readonly minimumBlockTimeout = 0.001;
  readonly qualifiedName: string;
  readonly keys: ReturnType<QueueKeys['getKeys']>;
  closing: Promise<void> | undefined;
  protected readonly name: string;
  protected readonly opts: Options;
  protected readonly prefix: string;
  #isCut = false;
  #stopWaiting = () => {};

  constructor(name: string, opts: Options, isWorker = false) {
    super();
    this.name = name;
    this.opts = opts;
    this.prefix = opts.prefix ?? 'bull';
    const keys = new QueueKeys(this.prefix);
    this.qualifiedName = `${this.prefix}:${name}`;
    this.keys = keys.getKeys(name);
    if (!isWorker) return;
    jobs.workers.set(this, this.clientName());
    current()?.open.add(() => jobs.workers.delete(this));
  }

  toKey(type: string): string {
    return `${this.qualifiedName}:${type}`;
  }

  clientName(suffix = ''): string {
    return `${this.prefix}:${Buffer.from(this.name).toString('base64')}${suffix}`;
  }

  async waitUntilReady(): Promise<void> {}

  async setQueueMeta(): Promise<number> {
    return 0;
  }

  async hasQueueMetaField(): Promise<boolean> {
    return false;
  }

  async close(): Promise<void> {
    this.closing ??= this.disconnectBlocking();
    jobs.workers.delete(this);
    await this.closing;
  }

  async disconnect(): Promise<void> {
    await this.close();
  }

  async disconnectBlocking(): Promise<void> {
    this.#isCut = true;
    this.#stopWaiting();
  }

  async reconnectBlocking(): Promise<void> {
    this.#isCut = false;
  }

  /** Runs a command as one step. A worker sends it until it has a reply, others twice. */
  protected async send<T>(what: string, run: (nowMs: number) => T): Promise<T> {
    const now = simulation();
    for (let tries = 1; ; tries++) {
      if (this.closing) throw new Error('Connection is closed.');
      await now.turn(`${what} ${this.name}`, COMMAND_MS);
      now.mayDie();
      if (!now.happens('dropped connection')) {
        const reply = run(now.nowMs);
        jobs.wake();
        if (!now.happens('dropped connection')) return structuredClone(reply);
      }
      if (this.opts.connection?.maxRetriesPerRequest !== null && tries > 1) {
        throw new Error('Reached the max retries per request limit (which is 1).');
      }
      await now.turn(`connects to ${this.name}`, CONNECT_MS);
    }
  }

  /** Sends a command; a code of a failure becomes an error. */
  protected async must<T>(
    command: string,
    jobId: string,
    run: (nowMs: number) => T,
    state = 'active',
  ): Promise<T> {
    const reply = await this.send(command, run);
    if (typeof reply !== 'number' || reply >= 0) return reply;
    throw failureOf({ code: reply, jobId, command, state });
  }

  /** Waits until there is work, as a blocking command does. */
  async waitForJob(seconds: number): Promise<{ member: string; score: number } | null> {
    const now = simulation();
    const endMs = now.nowMs + seconds * 1000;
    const process = current();
    for (;;) {
      now.mayDie();
      if (this.#isCut || this.closing) return null;
      const found = jobs.takeMarker(this.qualifiedName);
      if (found) return found;
      if (now.nowMs >= endMs) return null;
      await new Promise<void>((resolve) => {
        const wake = (ms: number) => {
          jobs.waiting.delete(wakeSoon);
          cancel();
          cancel = now.later(process, ms, `work in ${this.name}`, resolve);
        };
        const wakeSoon = () => wake(COMMAND_MS);
        let cancel = now.later(process, endMs - now.nowMs, `no work in ${this.name}`, () => {
          jobs.waiting.delete(wakeSoon);
          resolve();
        });
        jobs.waiting.set(wakeSoon, this.qualifiedName);
        process?.open.add(() => jobs.waiting.delete(wakeSoon));
        this.#stopWaiting = wakeSoon;
      });
    }
  }
}

/** Makes the error that BullMQ makes of a code. */
export function failureOf(failed: {
  code: number;
  jobId: string;
  command: string;
  parentKey?: string;
  state?: string;
}): Error {
  return RedisQueueBackend.prototype.finishedErrors(failed);
}
