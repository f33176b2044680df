/**
 * LEAN's folder of daily equities: a zip a symbol with prices as traded times 10,000, a factor file
 * (price and split factors up to each day before an ex-date) and a map file (its tickers).
 */

import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { dateFromDay } from '../../base/time/dates.ts';
import { mkdir, writeFile } from '../../base/world/file-promises.ts';
import { createWriteStream } from '../../base/world/files.ts';
import { countRounded, type Layout, type TradedSeries } from './layout.ts';

const DECIMALS = 4;
const SCALE = 10 ** DECIMALS;

/** Last day of its files, which stands for no end. */
const NO_END = '20501231';

const compact = (date: string) => date.replaceAll('-', '');
const compactDay = (day: number) => compact(dateFromDay(day));

export const leanLayout: Layout = {
  decimals: DECIMALS,
  async write(folder, series) {
    const { symbol, bars, days } = series;
    const name = symbol.toLowerCase();
    const { open, high, low, close, volume } = bars;
    const prices = [open, high, low, close];
    let text = '';
    for (const [row, day] of days.entries()) {
      const whole = prices.map((column) => Math.round(column[row] * SCALE));
      text += `${compactDay(day)} 00:00,${whole.join()},${Math.round(volume[row])}\n`;
    }
    const [daily, factors, maps] = ['daily', 'factor_files', 'map_files'].map((one) =>
      join(folder, 'equity/usa', one),
    );
    for (const place of [daily, factors, maps]) await mkdir(place, { recursive: true });
    await writeZip(join(daily, `${name}.zip`), `${name}.csv`, text);
    await writeFile(join(factors, `${name}.csv`), factorLines(series).join('\n'));
    await writeFile(join(maps, `${name}.csv`), mapLines(series).join('\n'));
    return { rounded: countRounded(bars, DECIMALS) };
  },
};

/** Goes back from the newest day: a row holds for all days up to its own. */
function factorLines({ days, bars, actions }: TradedSeries): string[] {
  const lines = [`${NO_END},1,1,0`];
  let [price, split] = [1, 1];
  for (const { row, dividend, splitRatio } of actions.toReversed()) {
    const before = bars.close[row - 1];
    price *= Math.max(0, 1 - (dividend * splitRatio) / before);
    split /= splitRatio;
    lines.unshift(`${compactDay(days[row - 1])},${shown(price)},${shown(split)},${before}`);
  }
  const first = compactDay(days[0]);
  if (!lines[0].startsWith(first)) lines.unshift(`${first},${shown(price)},${shown(split)},1`);
  return lines;
}

/** Its factors are decimals, which can't be read with an exponent. */
const shown = (factor: number) => String(Number(factor.toFixed(12)));

function mapLines({ symbol, former, days, delistedDay }: TradedSeries): string[] {
  const end = delistedDay === undefined ? NO_END : compactDay(delistedDay);
  const tickers = [
    ...former.map(({ ticker, lastDate }) => [compact(lastDate), ticker] as const),
    [end, symbol] as const,
  ];
  const lines = [[compactDay(days[0]), tickers[0][1]] as const, ...tickers];
  return lines.map(([date, ticker]) => `${date},${ticker.toLowerCase()}`);
}

async function writeZip(path: string, name: string, text: string): Promise<void> {
  const zip = new ZipFile();
  // The same rows give the same bytes.
  zip.addBuffer(Buffer.from(text), name, { mtime: new Date(2000, 0, 1) });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}
