import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { lockFile } from '../../../src/base/file-lock.ts';
import { limits } from '../../../src/base/limits.ts';
import { makeFiles } from '../../../src/cli/files/make-files.ts';
import { adjustBars } from '../../../src/compute/bars/adjust.ts';
import { readFileSets, requestedName } from '../../../src/store/parquet/file-sets.ts';
import { fixtureSymbols, infoOf, NOW_MS, publishMarket } from '../../api/support/market-fixture.ts';
import { freshFolder } from '../../support/folders.ts';
import { parquetRows } from '../../support/parquet-rows.ts';
import { madeFiles } from './made-market.ts';

const YEARS = [2023, 2024, 2025, 2026];
const DAY_MS = 86_400_000;

function pathsOf(dataDir: string) {
  return modePaths(dataDir, 'sandbox');
}

/** Rows of a file of the newest set, by the name that clients request. */
async function rowsOf(dataDir: string, requested: string) {
  const { files } = pathsOf(dataDir);
  const [set] = readFileSets(files);
  const file = set.files.find((one) => requestedName(one) === requested);
  if (!file) throw new Error(`there is no ${requested}`);
  return parquetRows(readFileSync(join(files, file.name)));
}

/** Names in the folder of the newest set, by requested name. */
function namesOf(dataDir: string): Record<string, string> {
  const [set] = readFileSets(pathsOf(dataDir).files);
  return Object.fromEntries(set.files.map((file) => [requestedName(file), file.name]));
}

async function publishAndMake(dataDir: string, symbols = fixtureSymbols(), createdMs = NOW_MS) {
  await publishMarket(pathsOf(dataDir).serving, symbols, createdMs);
  return madeFiles(dataDir);
}

describe('files', () => {
  it('are none while nothing is published', async () => {
    const dataDir = freshFolder();
    expect(await madeFiles(dataDir)).toMatchObject({ version: '', files: 0 });
    expect(existsSync(pathsOf(dataDir).files)).toBe(false);
  });

  it('hold the bars of each year as stored, sorted by symbol and time', async () => {
    const dataDir = freshFolder();
    await publishAndMake(dataDir);
    const rows = [];
    for (const year of YEARS) {
      const ofYear = await rowsOf(dataDir, `candles-1d-${year}.parquet`);
      expect(new Set(ofYear.map(({ date }) => (date as Date).getUTCFullYear()))).toEqual(
        new Set([year]),
      );
      rows.push(...ofYear);
    }
    const symbols = fixtureSymbols();
    expect(rows).toHaveLength(symbols.reduce((sum, { bars }) => sum + bars.close.length, 0));
    for (const { symbol, basis, bars } of symbols) {
      const own = rows.filter((row) => row.symbol === symbol);
      expect(own.map(({ close }) => close)).toEqual([...bars.close]);
      expect(own.map(({ volume }) => volume)).toEqual([...bars.volume]);
      expect(own.map(({ timestamp }) => BigInt(Number(timestamp)) * 1000n)).toEqual([
        ...bars.timestampUs,
      ]);
      expect(new Set(own.map(({ adjustment }) => adjustment))).toEqual(new Set([basis]));
    }
  });

  it('hold factors that bring stored prices to other bases', async () => {
    const dataDir = freshFolder();
    await publishAndMake(dataDir);
    const factors = await rowsOf(dataDir, 'adjustments.parquet');
    for (const symbol of fixtureSymbols()) {
      const own = factors.filter((row) => row.symbol === symbol.symbol);
      expect(own.length).toBeGreaterThan(0);
      if (!symbol.isCovered) {
        const known = symbol.basis === 'all' ? 1 : null;
        expect(own.map((row) => [row.splitFactor, row.allFactor])).toEqual([[null, known]]);
        continue;
      }
      for (const [basis, name] of [
        ['split', 'splitFactor'],
        ['all', 'allFactor'],
      ] as const) {
        const expected = adjustBars(symbol.bars, infoOf(symbol), basis);
        symbol.bars.timestampUs.forEach((timestampUs, i) => {
          const ms = Number(timestampUs / 1000n);
          const row = own.findLast(({ from }) => Number(from) <= ms);
          const ratio = (symbol.bars.close[i] * Number(row?.[name])) / expected.close[i];
          expect(Math.abs(ratio - 1)).toBeLessThan(1e-15);
        });
      }
    }
  });

  it('have every dataset that the version has', async () => {
    const dataDir = freshFolder();
    await publishAndMake(dataDir);
    expect(Object.keys(namesOf(dataDir))).toEqual([
      ...YEARS.map((year) => `candles-1d-${year}.parquet`),
      ...['adjustments', 'corporate-actions', 'symbols', 'quotes'].map((name) => `${name}.parquet`),
    ]);
    const quotes = await rowsOf(dataDir, 'quotes.parquet');
    expect(quotes.map(({ symbol }) => symbol)).toEqual(['ABC', 'BRK.B', 'NEW', 'RAW']);
    expect((await rowsOf(dataDir, 'symbols.parquet')).at(-1)).toMatchObject({
      symbol: 'WAIT',
      firstBar: null,
    });
    expect(await rowsOf(dataDir, 'corporate-actions.parquet')).toMatchObject([
      { symbol: 'ABC', type: 'split', numerator: 3 },
      { symbol: 'ABC', type: 'dividend', amount: 0.75 },
    ]);
  });
});

describe('a further set', () => {
  it('of the same version writes nothing', async () => {
    const dataDir = freshFolder();
    const first = await publishAndMake(dataDir);
    expect(first.written).toBe(first.files);
    const path = join(pathsOf(dataDir).files, namesOf(dataDir)['candles-1d-2024.parquet']);
    const { ino } = statSync(path);
    expect(await madeFiles(dataDir)).toMatchObject({ written: 0, files: first.files });
    expect(statSync(path).ino).toBe(ino);
    expect(readFileSets(pathsOf(dataDir).files)).toHaveLength(1);
  });

  it('writes only the years with other bars', async () => {
    const dataDir = freshFolder();
    await publishAndMake(dataDir);
    const before = namesOf(dataDir);
    const symbols = fixtureSymbols();
    const [abc] = symbols;
    const row = abc.bars.timestampUs.findIndex(
      (us) => Number(us / 1000n) >= Date.UTC(2024, 5, 3) && Number(us / 1000n) < Date.UTC(2025, 0),
    );
    abc.bars.high[row] += 1;
    const made = await publishAndMake(dataDir, symbols, NOW_MS + DAY_MS);
    const after = namesOf(dataDir);
    const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
    expect(changed).toEqual(['candles-1d-2024.parquet']);
    expect(made).toMatchObject({ written: 1 });
  });

  it('keeps the files of sets before it, and removes those of the oldest', async () => {
    const dataDir = freshFolder();
    const { files } = pathsOf(dataDir);
    const names: string[] = [];
    for (let i = 0; i < limits.files.olderSetsMax + 2; i++) {
      const symbols = fixtureSymbols();
      symbols[0].bars.close[5] += i;
      await publishAndMake(dataDir, symbols, NOW_MS + i);
      names.push(namesOf(dataDir)['candles-1d-2023.parquet']);
    }
    expect(readFileSets(files)).toHaveLength(limits.files.olderSetsMax + 1);
    const kept = readdirSync(files).filter((name) => name.startsWith('candles-1d-2023'));
    expect(kept.sort()).toEqual(names.slice(1).sort());
  });
});

describe('a run that ends early', () => {
  it('leaves the sets, and its files for the next run', async () => {
    const dataDir = freshFolder();
    await publishMarket(pathsOf(dataDir).serving, fixtureSymbols());
    const stop = new AbortController();
    const onProgress = (_stage: string, done: number) => {
      if (done === 2) stop.abort(new Error('stopped'));
    };
    const stopped = makeFiles(pathsOf(dataDir), { onProgress, signal: stop.signal });
    await expect(stopped).rejects.toThrow('stopped');
    expect(readFileSets(pathsOf(dataDir).files)).toEqual([]);
    const made = await madeFiles(dataDir);
    expect(made.files - made.written).toBe(2);
    const names = readdirSync(pathsOf(dataDir).files);
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is refused while another process makes files', async () => {
    const dataDir = freshFolder();
    await publishAndMake(dataDir);
    using _lock = lockFile(join(pathsOf(dataDir).files, 'files.lock'));
    await expect(madeFiles(dataDir)).rejects.toThrow(
      'Another process makes the Parquet files of sandbox',
    );
  });

  it('changes nothing if a published file is damaged', async () => {
    const dataDir = freshFolder();
    await publishAndMake(dataDir);
    const { serving, files } = pathsOf(dataDir);
    const before = readFileSync(join(files, 'files.json'));
    await publishMarket(serving, fixtureSymbols(7), NOW_MS + 1);
    const name = readdirSync(serving).filter((one) => one.startsWith('candles-1d-closed'));
    const path = join(serving, name.sort().at(-1)!);
    const bytes = readFileSync(path);
    // Within the body of a batch: the head of the file is read when it is opened.
    bytes[Math.floor(bytes.length / 2)] ^= 1;
    writeFileSync(path, bytes);
    await expect(madeFiles(dataDir)).rejects.toThrow(/checksum/);
    expect(readFileSync(join(files, 'files.json')).equals(before)).toBe(true);
  });

  it('names a list of files that is damaged', async () => {
    const dataDir = freshFolder();
    await publishAndMake(dataDir);
    const path = join(pathsOf(dataDir).files, 'files.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('candles', 'cAndles'));
    await expect(madeFiles(dataDir)).rejects.toThrow(
      `"${path}" does not match its checksum: delete its folder`,
    );
  });
});
