/** Stands in for the driver of Redis: every connection is one to the Redis of the night. */

import { simulation } from '../simulation.ts';
import { RedisKeys, redisOf } from './redis.ts';

let keys = new RedisKeys();

export function newRedis(): RedisKeys {
  keys = new RedisKeys();
  return keys;
}

const COMMAND_MS = 2;

export class Redis {
  readonly options = { db: 0 };
  readonly eval = redisOf(keys).eval;

  on(): this {
    return this;
  }

  disconnect(): void {}

  /** Runs a command as one step. A broken connection is opened again once, and the command sent. */
  async #send<T>(what: string, run: (nowMs: number) => T): Promise<T> {
    const now = simulation();
    for (let tries = 1; tries <= 2; tries++) {
      await now.turn(`${what} of Redis`, COMMAND_MS);
      now.mayDie();
      if (now.happens('dropped connection')) continue;
      const reply = run(now.nowMs);
      if (!now.happens('dropped connection')) return reply;
    }
    throw new Error('Connection is closed.');
  }

  async connect(): Promise<void> {
    await this.#send('connect', () => {});
  }

  async info(): Promise<string> {
    return this.#send('info', () => 'redis_mode:standalone');
  }

  multi(): { exec: () => Promise<unknown[]> } {
    return { exec: () => this.#send('multi', () => []) };
  }

  async ping(): Promise<void> {
    await this.#send('ping', () => {});
  }

  async select(): Promise<void> {
    await this.#send('select', () => {});
  }

  get(key: string): Promise<string | null> {
    return this.#send('get', (nowMs) => keys.get(key, nowMs) ?? null);
  }

  async set(key: string, value: string, condition?: 'NX'): Promise<void> {
    await this.#send('set', (nowMs) => {
      if (condition === undefined || keys.get(key, nowMs) === undefined) keys.set(key, value);
    });
  }
}
