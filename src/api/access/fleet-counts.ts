/**
 * Rate limits over several machines. Each machine writes its requests of a key to Redis and reads
 * those of the others. No request waits for that: a key can exceed its limit by what the other
 * machines admit within `limits.usage.flushMs` and one round trip.
 */

import { limits } from '../../base/limits.ts';
import { redisRefusal } from '../../base/redis/redis-address.ts';
import { createRedis } from '../../base/redis/redis-client.ts';
import { randomUUID } from '../../base/world/chance.ts';
import type { CountMemory } from '../../store/accounts/usage/count-memory.ts';
import { createRequestCounts } from '../../store/accounts/usage/request-counts.ts';
import type { UsageCount } from '../../store/accounts/usage/usage-counts.ts';

/**
 * Sets the count of one process in a window, and returns the sum of the others, for each hash. It
 * keeps two windows, as clocks of machines differ. Sent twice, it changes nothing.
 */
const EXCHANGE = `
local process, kept = ARGV[1], ARGV[2]
local others = {}
for i, hash in ipairs(KEYS) do
  local window, count = ARGV[2 * i + 1], ARGV[2 * i + 2]
  local own = window .. ' ' .. process
  redis.call('HSET', hash, own, count)
  redis.call('EXPIRE', hash, kept)
  local fields, sum = redis.call('HGETALL', hash), 0
  for at = 1, #fields, 2 do
    local named = tonumber(string.match(fields[at], '^%d+'))
    if named < tonumber(window) - 1 then redis.call('HDEL', hash, fields[at])
    elseif named == tonumber(window) and fields[at] ~= own then sum = sum + fields[at + 1] end
  end
  others[i] = sum
end
return others`;

/** Keys of one script, which Redis runs alone: 500 take some 2 ms. */
const BATCH_KEYS = 500;

export interface FleetCounts {
  /** Takes the usage that threads have posted: its keys have new requests. */
  noteUse(counts: readonly Pick<UsageCount, 'key'>[]): void;
  close(): Promise<void>;
}

/**
 * @param url Address of Redis.
 * @param note Receives a line when Redis stops responding, and when it responds again.
 */
export function shareRequestCounts(
  memory: CountMemory,
  url: string,
  note: (line: string) => void,
): FleetCounts {
  const redis = createRedis(url, 'producer');
  const { countersOf } = createRequestCounts(memory);
  const self = randomUUID();
  /** Numbers by id of the keys with requests that Redis lacks. */
  const used = new Map<string, number>();
  let isAway = false;
  let isClosed = false;
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => undefined);
  let running: Promise<void> | undefined;
  // The command that fails reports it.
  redis.on('error', () => {});

  /** Takes some of the used keys, and returns their counters of the newest window. */
  function takeBatch() {
    const batch = [...used].slice(0, BATCH_KEYS);
    for (const [id] of batch) used.delete(id);
    return batch.flatMap(([id, number]) => {
      const counters = countersOf(number);
      const window = Math.max(...counters.map(({ held }) => held().window));
      return counters.flatMap(({ kind, held, setElsewhere }) => {
        const here = held();
        if (here.window !== window || here.count === 0) return [];
        return [{ hash: `tw:${kind}:${id}`, ...here, setElsewhere }];
      });
    });
  }

  async function exchange(): Promise<void> {
    while (used.size > 0) {
      const batch = takeBatch();
      if (batch.length === 0) continue;
      const hashes = batch.map(({ hash }) => hash);
      const counts = batch.flatMap(({ window, count }) => [window, count]);
      const kept = 2 * limits.plan.windowMaxS;
      const asked = redis.eval(EXCHANGE, hashes.length, ...hashes, self, kept, ...counts);
      const others = await Promise.race([asked, closed.promise]);
      batch.forEach(({ window, setElsewhere }, at) => {
        setElsewhere(window, (others as number[])[at]);
      });
    }
  }

  async function tryExchange(): Promise<void> {
    try {
      await exchange();
      if (isAway) note('Rate limits hold over all machines again.');
      isAway = false;
    } catch (error) {
      if (isClosed) return;
      // The next request of a key sends its whole count.
      const { message } = redisRefusal(error) ?? (error as Error);
      if (!isAway) note(`Redis does not count, so each machine counts alone: ${message}`);
      isAway = true;
    }
  }

  return {
    noteUse(counts) {
      for (const { key } of counts) used.set(key.id, key.number);
      running ??= tryExchange().finally(() => {
        running = undefined;
      });
    },
    async close() {
      isClosed = true;
      // The driver forgets a command that waits for its next try to connect.
      closed.reject(new Error('closed'));
      redis.disconnect();
      await running;
    },
  };
}
