/** Runs the notebooks of the documentation against the real server. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runPython } from '../support/python-package.ts';
import { long, someOf } from '../support/store-runs.ts';
import { python, talibPython } from '../support/tools.ts';
import { useContractMarket } from './contract-market.ts';

const FOLDER = fileURLToPath(new URL('../../docs/notebooks/', import.meta.url));
const RUNNER = readFileSync(new URL('run-notebook.py', import.meta.url), 'utf8');

const market = useContractMarket();

interface Cell {
  cell_type: string;
  outputs?: unknown[];
  execution_count?: number | null;
}

describe('notebooks', () => {
  long('are kept without outputs', () => {
    for (const name of readdirSync(FOLDER)) {
      const { cells } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
      const run = cells.filter(
        ({ outputs = [], execution_count: count = null }: Cell) => outputs.length > 0 || count,
      );
      expect([name, run]).toEqual([name, []]);
    }
  });

  const last = { 'first-hour.ipynb': 'growth_crossover', 'studies.ipynb': 'months' };

  it.skipIf(!python || !talibPython).each(someOf(Object.entries(last), 2))(
    '%s runs from its first cell to its last',
    async (name, shownLast) => {
      const { address, rawKey } = market.server;
      const env = { TAPEWORKS_URL: address, TAPEWORKS_API_KEY: rawKey };
      const args = [join(FOLDER, name), 'worst'];
      const { shown, worst } = JSON.parse(await runPython(RUNNER, { args, env }));
      expect(shown.length).toBeGreaterThan(7);
      expect(Number(worst)).toBeLessThan(1e-9);
      expect(shown.at(-1)).toContain(shownLast);
    },
  );

  it('are all run here', () => {
    expect(readdirSync(FOLDER)).toEqual(Object.keys(last));
  });
});
