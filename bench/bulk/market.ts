/** A generated universe for the bulk benchmark: daily candles only, one symbol in memory at a time. */

import { MICROS_PER_DAY } from '../../src/base/bars.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { addToBase } from '../../src/store/arrow/write/compact.ts';
import { Publication } from '../../src/store/arrow/write/publication.ts';
import { generatedBars, LAST_DAY, symbolName } from '../command/data/synthetic.ts';

/**
 * Publishes live data: raw, with one split a symbol that is known, so that `adjustment=raw` asks
 * for the stored bytes and the default for computed ones.
 *
 * @returns the symbols, ascending; the bars of number i are `generatedBars(barCount, i)`.
 */
export async function createBulkMarket(
  dataDir: string,
  symbolCount: number,
  barCount: number,
): Promise<readonly string[]> {
  const symbols = Array.from({ length: symbolCount }, (_, number) => symbolName(number)).sort();
  const publication = new Publication(modePaths(dataDir, 'live').serving, { indicatorColumns: [] });
  let firstBarUs = 0n;
  symbols.forEach((_, number) => {
    const bars = generatedBars(barCount, number);
    firstBarUs = bars.timestampUs[0];
    const rows = { firstRow: 0, bars, indicators: [] };
    addToBase(publication.layer, number, '1d', rows, 2026);
  });
  await publication.commit({
    seq: 1,
    storeMark: 'bench',
    createdMs: Date.UTC(2026, 0, 31),
    replacesLayers: true,
    currentYear: 2026,
    symbols: symbols.map((symbol) => ({
      symbol,
      source: 'massive',
      basis: 'raw',
      asOfUs: BigInt(LAST_DAY) * MICROS_PER_DAY,
      splits: [{ exDay: LAST_DAY - Math.floor(barCount / 2), numerator: 3, denominator: 2 }],
      dividends: [],
      actionCoverage: { fromDay: Number(firstBarUs / MICROS_PER_DAY), toDay: LAST_DAY },
    })),
    quotes: symbols.map(() => undefined),
  });
  return symbols;
}
