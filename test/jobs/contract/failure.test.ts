/** Failures that are tried again, and their waits. */

import { describe, expect, it } from 'vitest';
import { errorFrom, failureFrom, retryAfterMs } from '../../../jobs/contract/failure.ts';
import { failureFromText, failureText } from '../../../jobs/redis/queues.ts';
import {
  ConfigError,
  CorruptDataError,
  MalformedInputError,
  QueueUnavailableError,
  RateLimitedError,
  SourceUnavailableError,
  SubscriptionNeededError,
  UnknownSymbolError,
} from '../../../src/base/errors.ts';

describe('a failed job', () => {
  it('waits as long as the vendor wants', () => {
    const failure = failureFrom(new RateLimitedError(300_000, 'asked too often'));
    expect(failure).toEqual({ kind: 'rate-limited', reason: 'asked too often', retryMs: 300_000 });
    expect(retryAfterMs(failure, 1)).toBe(300_000);
    expect(retryAfterMs(failure, 19)).toBe(300_000);
    expect(retryAfterMs(failure, 20)).toBeUndefined();
  });

  it('waits twice as long each time its vendor is away, then fails', () => {
    const failure = failureFrom(new SourceUnavailableError('status 500'));
    const waits = [1, 2, 3, 4, 5].map((tries) => retryAfterMs(failure, tries));
    expect(waits).toEqual([1000, 2000, 4000, 8000, undefined]);
    // A connection to Redis that breaks as a job starts was no foreseen failure, with two tries.
    const away = failureFrom(new QueueUnavailableError('Redis does not answer'));
    expect(away.kind).toBe('unavailable');
    expect(retryAfterMs(away, 4)).toBe(8000);
  });

  it('fails at once where the same request gets the same response', () => {
    const errors = [
      new MalformedInputError('not JSON'),
      new UnknownSymbolError('XX', 'no such symbol'),
      new SubscriptionNeededError('status 403'),
      new ConfigError('no key'),
      new CorruptDataError('a byte differs'),
    ];
    expect(errors.map((error) => retryAfterMs(failureFrom(error), 1))).toEqual(
      errors.map(() => undefined),
    );
  });

  it('is tried again where this machine was short of something', () => {
    const reason = 'the disk is full: free space and try again (no room)';
    for (const code of [{ code: 'ENOSPC' }, { code: 'ERR_SQLITE_ERROR', errcode: 13 }]) {
      const full = Object.assign(new Error('no room'), code);
      expect(failureFrom(full)).toEqual({ kind: 'unavailable', reason });
    }
    expect(retryAfterMs(failureFrom(new Error('a bug')), 1)).toBe(1000);
    expect(retryAfterMs(failureFrom(new Error('a bug')), 2)).toBeUndefined();
  });

  it('says through Redis what it said before', () => {
    const failure = { kind: 'refused', reason: 'status 403: no\nplan' } as const;
    expect(failureFromText(failureText(failure))).toEqual(failure);
    expect(failureFromText('job stalled more than allowable limit')).toEqual({
      kind: 'other',
      reason: 'job stalled more than allowable limit',
    });
  });

  it('is wrong usage where the question was wrong', () => {
    expect(errorFrom({ kind: 'wrong-question', reason: 'no key' })).toBeInstanceOf(ConfigError);
    expect(errorFrom({ kind: 'refused', reason: 'no' })).not.toBeInstanceOf(ConfigError);
  });
});
