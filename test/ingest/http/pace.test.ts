/** The bucket of tokens, alone and between processes. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { backoffMs, retryAfterMs } from '../../../src/ingest/http/failure.ts';
import { openRequestPace } from '../../../src/ingest/http/pace.ts';
import { freshFolder } from '../../support/folders.ts';

const child = fileURLToPath(new URL('../support/pace-child.ts', import.meta.url));

describe('the pace of requests', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = freshFolder();
    path = join(folder, 'requests.sqlite');
  });

  it('says how long to wait, for each host', () => {
    const pace = openRequestPace(path);
    const limit = { requests: 2, windowS: 60 };
    const take = (host: string, nowMs: number) => pace.take(host, limit, () => nowMs);
    expect([take('a', 0), take('a', 10_000), take('a', 15_000)]).toEqual([0, 0, 45_000]);
    expect(take('b', 15_000)).toBe(0);
    expect([take('a', 60_000), take('a', 60_000)]).toEqual([0, 10_000]);
    pace.close();
  });

  it('keeps requests apart where a host counts by the second', () => {
    const pace = openRequestPace(path);
    const limit = { requests: 3, windowS: 1, gapMs: 200 };
    const take = (nowMs: number) => pace.take('a', limit, () => nowMs);
    expect([take(0), take(0), take(150), take(200), take(400)]).toEqual([0, 200, 50, 0, 0]);
    // All three are taken.
    expect([take(650), take(1000)]).toEqual([350, 0]);
    pace.close();
  });

  it('does not stand still after a clock was set back', () => {
    const pace = openRequestPace(path);
    const take = (nowMs: number) => pace.take('a', { requests: 1, windowS: 1 }, () => nowMs);
    expect([take(86_400_000), take(0)]).toEqual([0, 0]);
    pace.close();
  });

  it('holds over processes that race, in every window', async () => {
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, [child, path])),
    );
    const moments = runs
      .flatMap(({ stdout }) => JSON.parse(stdout) as number[])
      .sort((a, b) => a - b);
    expect(moments).toHaveLength(24);
    for (const [index, momentMs] of moments.slice(5).entries()) {
      expect(momentMs - moments[index]).toBeGreaterThanOrEqual(100);
    }
  });
});

describe('the wait before another try', () => {
  it('is any part of a span that doubles up to a bound', () => {
    expect([1, 2, 3, 20].map((failures) => backoffMs(failures, 1))).toEqual([
      500, 1000, 2000, 30_000,
    ]);
    expect(backoffMs(3, 0)).toBe(0);
    expect(limits.http.backoffMaxMs).toBe(30_000);
  });

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['-1', undefined],
    ['2.5', undefined],
    ['120', 120_000],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 59_000],
    ['Wed, 31 Dec 1969 23:00:00 GMT', 0],
  ])('of Retry-After %j is %j', (header, waitMs) => {
    expect(retryAfterMs(header, 1000)).toBe(waitMs);
  });
});
