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

/** Files that refuse work by a bound of their own, with a share of each account, and their tests. */
const OTHERS = [
  'src/api/screens/service.ts',
  'src/store/accounts/backfills/backfill-store.ts',
  'src/api/responses/pool.ts',
];

it('no other file refuses work because there is too much of it', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const files = ['src/api', 'src/cli', 'src/store/accounts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );
  const found = files.filter((path) =>
    /503,[^;]*(too many|in progress|at once|unfinished)/i.test(
      readFileSync(join(root, path), 'utf8'),
    ),
  );
  expect(found.filter((path) => !OTHERS.includes(path))).toEqual([]);
});
