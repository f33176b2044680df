/** Drivers of npm libraries: each indicator that they have can be compared with ours. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareOutputs } from '../../../bench/command/indicators/equality.ts';
import { NPM_PEERS, npmPeer } from '../../../bench/command/peers/npm.ts';
import {
  type PeerColumns,
  type PeerIndicator,
  plainBars,
} from '../../../bench/command/peers/peer.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { barsOf } from '../../compute/support/bars-of.ts';
import { randomWalk } from '../../compute/support/hostile-series.ts';

const bars = barsOf(randomWalk(600, 11));
const modules = await Promise.all(NPM_PEERS.map((name) => npmPeer(name, process.cwd())));

const columnsOf = (indicator: PeerIndicator): PeerColumns => {
  const result = indicator.run(plainBars(bars) as never);
  return indicator.columns ? indicator.columns(result as never) : (result as PeerColumns);
};

describe.each(modules.map((module) => [module!.name, module!] as const))('%s', (_, module) => {
  const offered = indicatorCatalogue.flatMap((spec) => {
    const indicator = module.indicator(spec.name, defaultParams(spec));
    return indicator ? [{ spec, indicator }] : [];
  });

  it('is found with its version', () => {
    expect(module.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(offered.length).toBeGreaterThan(15);
  });

  it.each(offered.map((one) => [one.spec.name, one] as const))(
    'gives outputs of %s that the catalogue has',
    (name, { spec, indicator }) => {
      const columns = columnsOf(indicator);
      for (const output of Object.keys(columns)) expect(spec.outputs).toContain(output);
      const params = defaultParams(spec);
      const { detail } = compareOutputs(spec.compute(bars, params), columns, params.period);
      expect(detail, name).not.toContain('no values to compare');
    },
  );

  it.each(['sma', 'rsi', 'bollinger'])('obeys the parameters of %s', (name) => {
    const spec = indicatorCatalogue.find((one) => one.name === name)!;
    const params = { ...defaultParams(spec), period: 9 };
    const columns = columnsOf(module.indicator(name, params)!);
    const ours = spec.compute(bars, params);
    for (const output of spec.outputs) {
      const last = columns[output][columns[output].length - 1]!;
      // One of them rounds its RSI to two decimals; a seed from the first change has faded.
      expect(last).toBeCloseTo(ours[output].at(-1)!, 2);
    }
  });
});

it('is missing in a folder that does not have it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  expect(await npmPeer('indicatorts', folder)).toBeUndefined();
  rmSync(folder, { recursive: true });
});
