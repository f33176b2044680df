/** Recomputes the columns of TA-Lib and pandas-ta in the table of differences of docs/indicators.md. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { syntheticUniverse } from '../../../bench/command/data/universe.ts';
import { cellsFromText, differenceKey } from '../../../bench/command/indicators/differences.ts';
import { compareOutputs } from '../../../bench/command/indicators/equality.ts';
import { pythonDrivers } from '../../../bench/command/peers/python.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { libraryPython } from '../../support/tools.ts';

const page = fileURLToPath(new URL('../../../docs/indicators.md', import.meta.url));
const { symbols, bars: series } = syntheticUniverse(3, 700);

/** Parameters under which a library has the indicator at all. */
const PARAMS: Readonly<Record<string, object>> = {
  'TA-Lib stochastic_rsi': { smooth: 1 },
};

it.skipIf(!libraryPython)('the table says where libraries give the same values', async () => {
  const cells = cellsFromText(readFileSync(page, 'utf8'));
  const names = ['TA-Lib', 'pandas-ta-classic'];
  const drivers = await pythonDrivers(libraryPython!, names, { symbols, series, nextBars: 64 });
  const versions = drivers.map(({ program }) => `${program.name} ${program.version.split(' ')[0]}`);
  expect(versions).toEqual(['TA-Lib 0.8.2', 'pandas-ta-classic 0.8.32']);
  const wrong: string[] = [];
  let driven = 0;
  try {
    for (const driver of drivers) {
      for (const spec of indicatorCatalogue) {
        const key = differenceKey(driver.program.name, spec.name);
        const cell = cells.get(key) ?? 'no cell';
        const params = { ...defaultParams(spec), ...PARAMS[key] };
        const request = { key: spec.name, spec, params };
        if (!(await driver.offers('written', request))) {
          if (cell !== '–') wrong.push(`${key}: "${cell}", but it is not driven`);
          continue;
        }
        driven++;
        const found = [];
        for (const [place, bars] of series.entries()) {
          const theirs = await driver.values(request, place);
          found.push(compareOutputs(spec.compute(bars, params), theirs, params.period));
        }
        const isSame = found.every(
          ({ status, detail }) => status === 'equal' && !detail.includes('first value'),
        );
        if (cell === '–' || cell.startsWith('same') !== isSame) {
          wrong.push(`${key}: "${cell}", but ${found[0].status} ${found[0].detail}`);
        }
      }
    }
  } finally {
    await drivers[0].close();
  }
  expect(wrong).toEqual([]);
  expect(driven).toBeGreaterThan(110);
});
