/** One account leaves half of every pool to the others: 40 idle connections took all once. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createPool, type Pool, pools } from '../../../src/api/responses/pool.ts';
import { HttpError } from '../../../src/base/errors.ts';
import { useFixtureServer } from '../support/fixture-server.ts';

const fixture = useFixtureServer();

function refusal(check: () => unknown): Pick<HttpError, 'status' | 'headers'> {
  try {
    check();
  } catch (error) {
    if (error instanceof HttpError) return { status: error.status, headers: error.headers };
    throw error;
  }
  throw new Error('nothing was refused');
}

const RETRY = ['Retry-After', '5'];
const three = () => [new Uint8Array(1), new Uint8Array(2), new Uint8Array(3)];

describe('a pool', () => {
  it('gives an account half of its places, and all of them to several', () => {
    const pool = createPool('tests', 4);
    const [first] = [pool.enter('a'), pool.enter('a')];
    expect(refusal(() => pool.check('a'))).toEqual({ status: 429, headers: RETRY });
    expect(refusal(() => pool.enter('a'))).toEqual({ status: 429, headers: RETRY });
    pool.enter('b');
    pool.enter('c');
    expect(refusal(() => pool.check('d'))).toEqual({ status: 503, headers: RETRY });
    first();
    first();
    pool.enter('d');
    expect(refusal(() => pool.check('e'))).toEqual({ status: 503, headers: RETRY });
  });

  it('of one place gives it to whoever comes', () => {
    const pool = createPool('tests', 1);
    pool.enter('a')();
    pool.enter('b');
    expect(refusal(() => pool.check('a'))).toEqual({ status: 503, headers: RETRY });
  });

  it('holds a place for pieces, until they end, fail, or their client has gone', () => {
    const pool = createPool('tests', 2);
    const held = pool.held('a', three)()[Symbol.iterator]();
    pool.check('a');
    held.next();
    expect(refusal(() => pool.check('a'))).toEqual({ status: 429, headers: RETRY });
    expect(refusal(() => [...pool.held('a', three)()])).toEqual({ status: 429, headers: RETRY });
    expect([...{ [Symbol.iterator]: () => held }]).toHaveLength(2);
    for (const _ of pool.held('a', three)()) break;
    const failing = pool.held('a', () => {
      throw new Error('damaged');
    })();
    expect(() => [...failing]).toThrow('damaged');
    pool.check('a');
  });
});

/** The pools of the newest server. Other tests of this process had servers of their own. */
function poolsOfServer(): Pool[] {
  expect(fixture.server.address).toContain('http');
  const newest = new Map(pools.map((pool) => [pool.name, pool]));
  return [...newest.values()].filter(({ name }) => name !== 'tests');
}

it('a server has these pools, and one account leaves half of each', () => {
  const names = new Set(poolsOfServer().map(({ name }) => name));
  expect([...names].sort()).toEqual([
    'SQL queries',
    'bulk responses',
    'responses of files',
    'streams of events',
    'uploads',
  ]);
  for (const pool of poolsOfServer()) {
    const taken: (() => void)[] = [];
    expect(pool.sizeMax, pool.name).toBeGreaterThan(1);
    while (taken.length < Math.floor(pool.sizeMax / 2)) taken.push(pool.enter('one'));
    expect(refusal(() => pool.enter('one')).status, pool.name).toBe(429);
    while (taken.length < pool.sizeMax) taken.push(pool.enter(`account ${taken.length}`));
    expect(refusal(() => pool.enter('late')).status, pool.name).toBe(503);
    for (const leave of taken) leave();
    pool.check('one');
  }
});

/** Files that refuse work because there is too much of it; each leaves a share to other accounts. */
const BOUNDS = [
  'src/api/responses/pool.ts',
  'src/api/screens/shared-runs.ts',
  'src/store/accounts/backfills/backfill-store.ts',
];

/** Files that refuse the requests of one key or address alone, so that others keep theirs. */
const OWN_LIMITS = ['src/api/access/admission.ts', 'src/api/access/failed-auth.ts'];

/** Files that refuse because something does not run, or is not there yet, however little is asked. */
const ABSENCES = [
  'src/api/mcp/adapter.ts',
  'src/api/mcp/tools/query-sql.ts',
  'src/api/operator/health.ts',
  'src/api/routes/backfills/route.ts',
  'src/api/routes/files/route.ts',
  'src/api/screens/client.ts',
  'src/cli/operator/retry.ts',
  'src/cli/server/operator-reports.ts',
];

/** A limit of each key beside a pool, and the end of the server. */
const STREAMS = 'src/api/streams/streams.ts';

it('names every file that refuses work: a new bound is a pool, or leaves a share to others', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const refusing = ['src', 'jobs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`)
      .filter((path) => /HttpError\(\s*(503|429)\b/.test(readFileSync(join(root, path), 'utf8'))),
  );
  expect(refusing.sort()).toEqual([...BOUNDS, ...OWN_LIMITS, ...ABSENCES, STREAMS].sort());
});
