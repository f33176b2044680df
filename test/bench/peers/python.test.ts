/** Python libraries, driven in one process. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { syntheticUniverse } from '../../../bench/command/data/universe.ts';
import { compareOutputs } from '../../../bench/command/indicators/equality.ts';
import { pythonDrivers } from '../../../bench/command/peers/python.ts';
import { barRows } from '../../../src/base/bars.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { isLong } from '../../faults/scale.ts';
import { python, talibPython } from '../../support/tools.ts';

const { symbols, bars: series } = syntheticUniverse(3, 700);
const data = { symbols, series, nextBars: 64 };
const requests = indicatorCatalogue.map((spec) => ({
  key: spec.name,
  spec,
  params: defaultParams(spec),
}));

// Importing both takes a second; benchmarks are their only use.
describe.skipIf(!talibPython || !isLong)('TA-Lib and polars', () => {
  it('give values, newest values and times, and name what they lack', async () => {
    const drivers = await pythonDrivers(talibPython!, ['TA-Lib', 'polars'], data);
    try {
      expect(drivers.map(({ program }) => program.name)).toEqual(['TA-Lib', 'polars']);
      const statuses = new Map<string, string>();
      for (const driver of drivers) {
        for (const request of requests) {
          expect(await driver.offers('next', request)).toBe(false);
          if (!(await driver.offers('written', request))) continue;
          const { spec, params } = request;
          const theirs = await driver.values(request, 2);
          const { status } = compareOutputs(spec.compute(series[2], params), theirs, params.period);
          statuses.set(`${driver.program.name} ${spec.name}`, status);
          expect(await driver.run('written', request, 3)).toBeGreaterThan(0);
          if (await driver.offers('last', request)) {
            expect(await driver.run('last', request, 3)).toBeGreaterThan(0);
          }
        }
      }
      expect(statuses.size).toBeGreaterThan(60);
      const different = [...statuses].filter(([, status]) => status === 'different');
      // By another definition, as the documentation says; kama and ichimoku are not offered.
      expect(different.map(([name]) => name).sort()).toEqual([
        'TA-Lib keltner',
        'TA-Lib nvi',
        'TA-Lib obv',
        'TA-Lib pvi',
        'TA-Lib vwap',
      ]);
      expect(statuses.get('TA-Lib sma')).toBe('equal');
      expect(statuses.get('polars ema')).toBe('settles');
    } finally {
      await drivers[0].close();
    }
  });
});

it.skipIf(!talibPython || !isLong)(
  'TA-Lib leaves out series with fewer bars than a period',
  async () => {
    const short = {
      ...data,
      series: [barRows(series[0], 0, 3), series[1], barRows(series[2], 0, 14)],
    };
    const [driver] = await pythonDrivers(talibPython!, ['TA-Lib'], short);
    try {
      expect(driver.program.version).toMatch(/^\d+\.\d+\.\d+ with C \d+\.\d+\.\d+ /);
      const rsi = requests.find(({ key }) => key === 'rsi')!;
      expect(await driver.skipped?.('last', rsi, 3)).toEqual([0, 2]);
      expect(await driver.run('last', rsi, 3)).toBeGreaterThan(0);
      expect(await driver.skipped?.('written', rsi, 3)).toEqual([]);
    } finally {
      await driver.close();
    }
  },
);

it('a name that is no interpreter is an error', async () => {
  await expect(pythonDrivers('no-such-python', ['TA-Lib'], data)).rejects.toThrow(
    `--python must name an interpreter, "no-such-python" can't run`,
  );
});

it.skipIf(!python)('an interpreter without NumPy has no libraries', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  const bare = join(folder, 'bare-python');
  // -S leaves out installed packages, -E settings.
  writeFileSync(bare, `#!/bin/sh\nexec "${python}" -S -E "$@"\n`, { mode: 0o755 });
  expect(await pythonDrivers(bare, ['TA-Lib', 'polars'], data)).toEqual([]);
  rmSync(folder, { recursive: true });
});

it('an interpreter that ends is an error', async () => {
  await expect(pythonDrivers('false', ['TA-Lib'], data)).rejects.toThrow('--python ended: ');
});
