/**
 * Changes real statements in ways that filers do, and counts the figures that follow them: the
 * same, null, or another amount than before, which is wrong where the statement still shows it.
 *
 *   node bench/statements/changed.ts [--kind notes] [--seed 1] [--list FIGURE]
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { extractSet } from '../../src/ingest/vendors/sec/extract-set.ts';
import { listSets } from '../../src/ingest/vendors/sec/list-sets.ts';
import { setCompanies } from '../../src/ingest/vendors/sec/set-companies.ts';
import { benchFolder, tableFromRows } from '../harness.ts';
import { KINDS } from './changed/kinds.ts';
import { SAMPLES, sampleFolder } from './read-set.ts';

const { values: options } = parseArgs({
  options: {
    kind: { type: 'string' },
    seed: { type: 'string', default: '1' },
    list: { type: 'string' },
  },
});

/** Extracts the filings of a set as the product does. @returns the path. */
async function extractedSample(root: string, folder: string): Promise<string> {
  const { segments, quarantine, scratch } = modePaths(root, 'live');
  const settings = { dataDir: root, contact: undefined, vendorUrls: {}, vendorKeys: {} };
  const paths = { segments, quarantine, scratch, feeds: '' };
  const context = { paths, nowMs: Date.now(), settings: { ...settings, vendorLimits: {} } };
  const { sets } = await listSets([folder]);
  mkdirSync(root, { recursive: true });
  const extract = join(root, 'set.jsonl.gz');
  await extractSet(sets[0], extract, context);
  return extract;
}

interface Filing {
  adsh: string;
  cik: string | number;
  lines: string | null;
  numbers: string;
}

/** Figures of each row, by filing, dataset, day and period. */
type Figures = Map<string, Record<string, unknown>>;

async function figuresOf(path: string, filings: readonly Filing[]): Promise<Figures> {
  const ciks = new Set(filings.map(({ cik }) => Number(cik)));
  const listings = new Map([...ciks].map((cik) => [cik, [{ symbol: `C${cik}` }]] as const));
  const figures: Figures = new Map();
  for await (const { rows } of setCompanies([path], [], listings)) {
    for (const dataset of ['statements', 'balanceSheets', 'cashFlows'] as const) {
      for (const row of rows[dataset]) {
        figures.set(`${row.accession} ${dataset} ${row.date} ${row.period}`, { ...row });
      }
    }
  }
  return figures;
}

function write(path: string, filings: readonly Filing[]): string {
  writeFileSync(path, gzipSync(filings.map((one) => `${JSON.stringify(one)}\n`).join('')));
  return path;
}

const cells = (text: string | null) => (text ?? '').split('\n').map((line) => line.split('\t'));
const textOf = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.join('\t')).join('\n');

const OUTCOMES = ['same', 'null', 'other', 'no row'] as const;

function outcomeOf(before: number, row: Record<string, unknown> | undefined, field: string) {
  if (!row) return 'no row';
  if (row[field] === null) return 'null';
  return Math.abs(Number(row[field]) - before) <= 1e-9 * Math.abs(before) ? 'same' : 'other';
}

function count(kind: string, before: Figures, after: Figures): string[] {
  const counts: Record<(typeof OUTCOMES)[number], number> = {
    ...{ same: 0, null: 0, other: 0, 'no row': 0 },
  };
  for (const [key, row] of before) {
    for (const [field, value] of Object.entries(row)) {
      if (typeof value !== 'number' || /date|filedAt|fiscal|unexplained/.test(field)) continue;
      const outcome = outcomeOf(value, after.get(key), field);
      counts[outcome]++;
      const isListed = ['all', field].includes(options.list ?? '');
      if (outcome === 'other' && isListed) console.log(key, field, value, after.get(key)?.[field]);
    }
  }
  return [kind, ...OUTCOMES.map((one) => String(counts[one]))];
}

async function run(): Promise<void> {
  const root = benchFolder();
  const filings: Filing[] = [];
  for (const [i, sample] of SAMPLES.filter(existsSync).entries()) {
    const { folder } = await sampleFolder(sample, join(root, `${i}`));
    const path = await extractedSample(join(root, `store-${i}`), folder);
    const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n');
    filings.push(...lines.map((line) => JSON.parse(line) as Filing));
  }
  filings.sort((x, y) => Number(x.cik) - Number(y.cik));
  mkdirSync(root, { recursive: true });
  const before = await figuresOf(write(join(root, 'own.gz'), filings), filings);
  const rows: string[][] = [];
  for (const [kind, change] of Object.entries(KINDS)) {
    if (options.kind && options.kind !== kind) continue;
    const random = seeded(Number(options.seed));
    const changed = filings.map((filing) => {
      if (!filing.lines) return filing;
      const { lines, numbers } = change(cells(filing.lines), cells(filing.numbers), random, filing);
      return { ...filing, lines: textOf(lines), numbers: textOf(numbers) };
    });
    rows.push(count(kind, before, await figuresOf(write(join(root, 'new.gz'), changed), filings)));
  }
  console.log(`${filings.length} filings, ${before.size} rows`);
  console.log(tableFromRows(['', ...OUTCOMES], rows));
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

if (SAMPLES.some(existsSync)) await run();
else console.log('skipped: no real sets of statements beside the project');
