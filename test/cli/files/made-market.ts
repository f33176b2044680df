/** A published market of synthetic bars, and Parquet files of it. */

import { modePaths } from '../../../src/base/config/data-dir.ts';
import { type MadeFiles, makeFiles } from '../../../src/cli/files/make-files.ts';
import {
  type FixtureSymbol,
  fixtureSymbols,
  publishMarket,
  weekdayBars,
} from '../../api/support/market-fixture.ts';

/** Symbols of the fixture, and 60 plain ones with 700 bars each: years 2023 to 2026. */
export function manySymbols(): FixtureSymbol[] {
  const plain = Array.from({ length: 60 }, (_, i): FixtureSymbol => {
    const bars = weekdayBars(700, 100 + i);
    return {
      ...{ symbol: `S${10 + i}`, basis: 'raw', bars, splits: [], dividends: [] },
      isCovered: true,
    };
  });
  return [...fixtureSymbols(), ...plain];
}

export async function publishMany(dataDir: string): Promise<void> {
  await publishMarket(modePaths(dataDir, 'sandbox').serving, manySymbols());
}

export function madeFiles(dataDir: string, signal = new AbortController().signal) {
  return makeFiles(modePaths(dataDir, 'sandbox'), {
    onProgress() {},
    signal,
  }) as Promise<MadeFiles>;
}
