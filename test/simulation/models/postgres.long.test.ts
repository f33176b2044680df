/** The model of Postgres returns what a server does, over random sequences of work on accounts. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshFolder } from '../../support/folders.ts';
import { type RunningPostgres, startPostgres } from '../../support/postgres-server.ts';
import { postgresFolder } from '../../support/tools.ts';

const SEQUENCE = fileURLToPath(new URL('postgres-sequence.ts', import.meta.url));
const SEEDS = Array.from({ length: 5 }, (_, i) => i + 1);

describe.skipIf(!postgresFolder)('the model of Postgres', { timeout: 300_000 }, () => {
  let postgres: RunningPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  const run = (seed: number, ...url: string[]) =>
    execFileSync(process.execPath, [SEQUENCE, `${seed}`, freshFolder(), ...url], {
      encoding: 'utf8',
    }).split('\n');

  it.each(SEEDS)('returns what a server returns, from seed %i', async (seed) => {
    const told = run(seed);
    expect(told.length).toBeGreaterThan(100);
    const lines = run(seed, await postgres.create(`sequence${seed}`));
    const other = told.findIndex((line, i) => line !== lines[i]);
    expect(lines[other]).toBe(told[other]);
  });
});
