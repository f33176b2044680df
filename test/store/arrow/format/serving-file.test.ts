import { expect, it, vi } from 'vitest';
import { OpenFile } from '../../../../src/store/arrow/format/open-file.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import { publishMarket, weekdayBars } from '../../../api/support/market-fixture.ts';
import { sharedFolder } from '../../../support/folders.ts';

const folder = sharedFolder();

const symbols = Array.from({ length: 100 }, (_, i) => `S${String(i).padStart(2, '0')}`);

it('scans two files in turns, and reads each block once', async () => {
  const rest = { basis: 'split' as const, splits: [], dividends: [], isCovered: true };
  await publishMarket(
    folder,
    symbols.map((symbol, i) => ({ symbol, bars: weekdayBars(3, i), ...rest })),
  );
  using version = openPublished(folder)!;
  const closes = () =>
    symbols.map((symbol) => {
      const [close, sma] = [new Float64Array(3), new Float64Array(3)];
      version
        .series(symbol, '1d')!
        .copy(['close', 'stored sma'], { start: 0, end: 3 }, [close, sma]);
      return close;
    });
  // The first reads check whole batches.
  const checked = closes();
  const reads = vi.spyOn(OpenFile.prototype, 'readAt');
  expect(closes()).toEqual(checked);
  // Pieces of 24 symbols show that each file is scanned; a block has those of all others.
  expect(reads.mock.calls.length).toBeLessThanOrEqual(2 * 25);
});
