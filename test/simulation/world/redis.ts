/**
 * Redis of a night: keys that expire, and the scripts of `jobs/redis/store-lock.ts`. The test of that
 * lock compares it with a server.
 */

import { compileFunction } from 'node:vm';
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
  keys = new Map<string, Kept>();

  get(key: string, nowMs: number): string | undefined {
    const kept = this.keys.get(key);
    return kept && kept.untilMs > nowMs ? kept.value : undefined;
  }

  set(key: string, value: string, untilMs = Number.POSITIVE_INFINITY): void {
    this.keys.set(key, { value, untilMs });
  }

  delete(key: string): boolean {
    return this.keys.delete(key);
  }

  /** Runs a script of the program. */
  eval(script: string, nowMs: number, names: readonly string[], values: readonly string[]) {
    const call = (command: string, key: string, value = '', ...more: string[]) => {
      const known = this.get(key, nowMs);
      if (command === 'GET') return known ?? false;
      const isTaken = more.includes('NX') && known !== undefined;
      if (key === names[0] && known !== undefined && known !== values[0] && !isTaken) {
        simulation().violate('a store has one holder', `${command} by another`);
      }
      if (command === 'DEL') return Number(this.delete(key));
      const next = command === 'INCR' ? `${Number(known ?? 0) + 1}` : `${value}`;
      if (isTaken) return false;
      const ms = more.includes('PX') ? Number(more.at(-1)) : Number.POSITIVE_INFINITY;
      this.set(key, next, nowMs + ms);
      return command === 'INCR' ? Number(next) : 'OK';
    };
    const reply = functionOf(script)(call, names, values);
    return reply === false ? null : reply;
  }
}

/** Compiles a script whose Lua is plain enough to be JavaScript in other words. */
function functionOf(script: string) {
  let run = compiled.get(script);
  if (run) return run;
  const text = script
    .replaceAll(/\bif (.*?) then\b/g, 'if ($1) {')
    .replaceAll(/\bend\b/g, '}')
    .replaceAll(/\blocal\b/g, 'let')
    .replaceAll(/\bnot\b/g, '!')
    .replaceAll(/\bor\b/g, '||')
    .replaceAll('==', '===')
    .replaceAll('redis.call', 'call')
    .replaceAll('tonumber', 'Number')
    .replaceAll(/(KEYS|ARGV)\[(\d)\]/g, (_, name, number) => `${name}[${number - 1}]`);
  run = compileFunction(text, ['call', 'KEYS', 'ARGV']);
  compiled.set(script, run);
  return run;
}

const compiled = new Map<string, ReturnType<typeof compileFunction>>();

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
