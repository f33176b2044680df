/**
 * The SEC's nightly zips to rows: copies of real company facts and submissions, streamed out of
 * zips, parsed on all cores and staged as segments.
 */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MeasuredRun, runMeasured } from '../command/measure/measured-child.ts';
import {
  type BenchSize,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  tableFromRows,
} from '../harness.ts';
import { type Member, writeZip } from './write-zip.ts';

const SAMPLES = fileURLToPath(new URL('../../../shared/realdata/sec/', import.meta.url));
const FACTS = [
  'companyfacts_SNOW.json',
  'companyfacts/CIK0001652044.json',
  'companyfacts/CIK0001835632.json',
];
const COMPANIES: Record<BenchSize, number> = { smoke: 3, quick: 150, full: 1200 };
const MB = 1e6;
/** JSON a second on two cores, and memory at any size. */
const GOAL = { mbPerSecond: 100, peakBytes: 600 * MB };
const CORES = 2;
const child = fileURLToPath(new URL('./filings-child.ts', import.meta.url));

function* factsOf(companies: number): Generator<Member> {
  const texts = FACTS.map((name) =>
    JSON.stringify(JSON.parse(readFileSync(SAMPLES + name, 'utf8'))),
  );
  for (let n = 1; n <= companies; n++) {
    const text = () => texts[n % texts.length].replace(/"cik":\d+/, `"cik":${n}`);
    yield { name: nameOf(n), text };
  }
}

function* submissionsOf(companies: number): Generator<Member> {
  const text = readFileSync(`${SAMPLES}submissions/CIK0001835632.json`, 'utf8');
  for (let n = 1; n <= companies; n++) {
    const own = () =>
      text.replace('"cik":"0001835632"', `"cik":"${n}"`).replace('"MRVL"', `"${tickerOf(n)}"`);
    yield { name: nameOf(n), text: own };
  }
}

const nameOf = (n: number) => `CIK${String(n).padStart(10, '0')}.json`;
const LETTERS = 26;
const tickerOf = (n: number) =>
  [n / LETTERS ** 2, n / LETTERS, n]
    .map((x) => String.fromCharCode(65 + (Math.floor(x) % LETTERS)))
    .join('');

async function run(): Promise<void> {
  const companies = COMPANIES[benchSizeFromArgs()];
  const root = mkdtempSync(join(tmpdir(), 'tapeworks-bench-'));
  try {
    const zips = [join(root, 'companyfacts.zip'), join(root, 'submissions.zip')];
    const bytes =
      (await writeZip(zips[0], factsOf(companies))) +
      (await writeZip(zips[1], submissionsOf(companies)));
    const rows: string[][] = [];
    const add = (name: string, { count, ms, cpuMs, peakBytes }: Outcome) => {
      const perSecond = bytes / MB / (ms / 1000);
      const ofCpu = (bytes / MB / (cpuMs / 1000)) * CORES;
      rows.push([
        name,
        String(count),
        ms.toFixed(0),
        perSecond.toFixed(0),
        ofCpu.toFixed(0),
        (peakBytes / MB).toFixed(0),
      ]);
      return ofCpu;
    };
    const light = outcomeOf(await runMeasured([child, 'parse', root, ...zips]));
    checkResult(light.count === 2 * companies, 'every member was parsed');
    add('unpack and JSON.parse, one thread', light);
    const staged = outcomeOf(await runMeasured([child, 'stage', root, ...zips]));
    checkResult(staged.count === expectedRows(companies), 'every company has all its rows');
    const ofCpu = add('to segments', staged);
    console.log(
      `${companies} companies, ${(bytes / MB).toFixed(0)} MB of JSON; ${machineLine()}\n`,
    );
    const header = ['', 'members or rows', 'ms', 'MB/s', `MB/s on ${CORES} free cores`, 'peak MB'];
    console.log(tableFromRows(header, rows));
    const isMet = ofCpu >= GOAL.mbPerSecond && staged.peakBytes <= GOAL.peakBytes;
    console.log(
      `\n${ofCpu.toFixed(0)} MB/s by CPU time (goal ${GOAL.mbPerSecond}), ${(staged.peakBytes / MB).toFixed(0)} MB (goal ${GOAL.peakBytes / MB})${isMet ? '' : ': missed'}`,
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

interface Outcome extends Pick<MeasuredRun, 'cpuMs' | 'peakBytes'> {
  count: number;
  ms: number;
}

function outcomeOf({ stdout, cpuMs, peakBytes }: MeasuredRun): Outcome {
  return { ...(JSON.parse(stdout) as { count: number; ms: number }), cpuMs, peakBytes };
}

/** Statements, balance sheets, cash flows, counts of shares and filings of the three samples. */
const ROWS = [44 + 31 + 38 + 43 + 19, 82 + 70 + 75 + 57 + 44, 41 + 31 + 38 + 59 + 21];

function expectedRows(companies: number): number {
  let rows = 0;
  for (let n = 1; n <= companies; n++) rows += ROWS[n % ROWS.length];
  return rows;
}

if (existsSync(SAMPLES)) await run();
else console.log('skipped: no real company facts beside the project');
