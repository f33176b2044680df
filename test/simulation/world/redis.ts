/**
 * Redis of a night: keys that expire, and the scripts of `jobs/redis/store-lock.ts` in plain code. The
 * test of that lock compares it with a server.
 */

import type { Redis } from 'ioredis';
import { simulation } from '../simulation.ts';

/** Time of a command, in simulated milliseconds. */
const COMMAND_MS = 2;

interface Kept {
  value: string;
  untilMs: number;
}

/** Keys of a server. */
export class RedisKeys {
  readonly #keys = new Map<string, Kept>();

  get(key: string, nowMs: number): string | undefined {
    const kept = this.#keys.get(key);
    return kept && kept.untilMs > nowMs ? kept.value : undefined;
  }

  set(key: string, value: string, untilMs = Number.POSITIVE_INFINITY): void {
    this.#keys.set(key, { value, untilMs });
  }

  delete(key: string): void {
    this.#keys.delete(key);
  }

  /** Runs a script of the lock, which is recognized by a command of its own. */
  eval(script: string, nowMs: number, names: readonly string[], values: readonly string[]) {
    const [holder, epoch] = names;
    const [token, ms, given] = values;
    if (script.includes("'NX'")) return this.#take(holder, epoch, token, nowMs, +ms, +given);
    if (script.includes('isOurs')) return this.#renew(holder, epoch, token, nowMs, +ms, +given);
    const isOurs = this.get(holder, nowMs) === token;
    if (isOurs) this.delete(holder);
    return Number(isOurs);
  }

  #take(holder: string, epoch: string, token: string, nowMs: number, ms: number, least: number) {
    if (this.get(holder, nowMs) !== undefined) return null;
    this.set(holder, token, nowMs + ms);
    const next = Math.max(Number(this.get(epoch, nowMs) ?? 0) + 1, least);
    this.set(epoch, `${next}`);
    return next;
  }

  #renew(holder: string, epoch: string, token: string, nowMs: number, ms: number, own: number) {
    const known = this.get(holder, nowMs);
    const isLast = known === undefined && Number(this.get(epoch, nowMs) ?? 0) <= own;
    if (known !== token && !isLast) return 0;
    if (isLast) this.set(epoch, `${own}`);
    this.set(holder, token, nowMs + ms);
    return 1;
  }
}

/** Returns the connection of a process. */
export function redisOf(keys: RedisKeys): Redis {
  const lose = () => {
    if (!simulation().happens('dropped connection')) return;
    throw new Error('Connection is closed.');
  };
  return {
    async eval(script: string, count: number, ...given: (string | number)[]) {
      const now = simulation();
      await now.turn('script of Redis', COMMAND_MS);
      now.mayDie();
      lose();
      const texts = given.map(String);
      if (now.happens('lost lock')) keys.delete(texts[0]);
      const reply = keys.eval(script, now.nowMs, texts.slice(0, count), texts.slice(count));
      // Redis has run it, and the reply is lost.
      lose();
      return reply;
    },
  } as unknown as Redis;
}
