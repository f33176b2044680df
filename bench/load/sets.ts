/** The whole command on one quarter's set of statements: synthetic, of the size of a real one. */

import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTapeworks } from '../../src/bench/measure/measured-child.ts';
import {
  type BenchSize,
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  tableFromRows,
} from '../harness.ts';
import { writeZip } from './filings-zip.ts';
import { madeSet } from './made-set.ts';

const FILINGS: Record<BenchSize, number> = { smoke: 50, quick: 1000, full: 6500 };
const MB = 1e6;
const GOAL = { seconds: 60, peakBytes: 600 * MB };

const root = benchFolder();
const filings = FILINGS[benchSizeFromArgs()];
const { tickers, ...tables } = madeSet(filings);
const paths = [join(root, '2024q1.zip'), join(root, 'company_tickers.json')];
const members = Object.entries(tables).map(([name, text]) => ({ name: `${name}.txt`, text }));
const bytes = writeZip(paths[0], members);
writeFileSync(paths[1], tickers);
const numbers = tables.num.split('\n').length - 2;
const dataDir = join(root, 'data');
mkdirSync(dataDir);
const run = await runTapeworks(['backfill', 'sec', ...paths], { TAPEWORKS_DATA_DIR: dataDir });
const isWhole = run.stdout.includes(
  `rows of statements for ${filings.toLocaleString('en-US')} symbols`,
);
checkResult(isWhole, 'every company has its statements');
console.log(
  `synthetic: ${filings} filings, ${numbers} numbers, ${(bytes / MB).toFixed(0)} MB in ` +
    `${(statSync(paths[0]).size / MB).toFixed(0)} MB; ${machineLine()}\n`,
);
const cells = [run.wallMs / 1000, run.cpuMs / 1000, run.peakBytes / MB].map((x) => x.toFixed(0));
console.log(
  tableFromRows(['', 'seconds', 'processor seconds', 'peak MB'], [['backfill', ...cells]]),
);
// On free cores the wall clock shows less than the processor seconds: other work may be running.
const isMet = run.cpuMs / 1000 <= GOAL.seconds && run.peakBytes <= GOAL.peakBytes;
console.log(
  `\ngoal ${GOAL.seconds} processor seconds and ${GOAL.peakBytes / MB} MB${isMet ? '' : ': missed'}`,
);
