/**
 * The whole command on one quarter's set of statements, of the size of a real one: the sample of a
 * real set, multiplied. Skipped unless it lies beside the project.
 */

import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTapeworks } from '../command/measure/measured-child.ts';
import {
  type BenchSize,
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  tableFromRows,
} from '../harness.ts';
import { type MultipliedSet, multipliedSet } from './multiplied-set.ts';
import { writeZip } from './write-zip.ts';

const FILINGS: Record<BenchSize, number> = { smoke: 50, quick: 1000, full: 6500 };
const MB = 1e6;
const GOAL = { seconds: 60, peakBytes: 600 * MB };

async function measure({ tickers, ...tables }: MultipliedSet): Promise<void> {
  const root = benchFolder();
  const paths = [join(root, '2024q1.zip'), join(root, 'company_tickers.json')];
  const members = Object.entries(tables).map(([name, text]) => ({
    name: `${name}.txt`,
    text: () => text,
  }));
  const bytes = await writeZip(paths[0], members);
  writeFileSync(paths[1], tickers);
  const dataDir = join(root, 'data');
  mkdirSync(dataDir);
  const run = await runTapeworks(['backfill', 'sec', ...paths], { TAPEWORKS_DATA_DIR: dataDir });
  const symbols = Object.keys(JSON.parse(tickers)).length.toLocaleString('en-US');
  // Some filers of a real set have no report.
  const read = Number(
    /rows of statements for ([\d,]+) symbols/.exec(run.stdout)?.[1].replaceAll(',', ''),
  );
  checkResult(read >= 0.9 * Object.keys(JSON.parse(tickers)).length, 'the companies are there');
  console.log(
    `${symbols} companies, ${(bytes / MB).toFixed(0)} MB in ` +
      `${(statSync(paths[0]).size / MB).toFixed(0)} MB; ${machineLine()}\n`,
  );
  const cells = [run.wallMs / 1000, run.cpuMs / 1000, run.peakBytes / MB].map((x) => x.toFixed(0));
  console.log(
    tableFromRows(['', 'seconds', 'processor seconds', 'peak MB'], [['backfill', ...cells]]),
  );
  // On free cores the wall clock shows less than the processor seconds: other work may be running.
  const isMet = run.cpuMs / 1000 <= GOAL.seconds && run.peakBytes <= GOAL.peakBytes;
  const goal = `goal ${GOAL.seconds} processor seconds and ${GOAL.peakBytes / MB} MB`;
  console.log(`\n${goal}${isMet ? '' : ': missed'}`);
}

const set = await multipliedSet(FILINGS[benchSizeFromArgs()]);
if (set) await measure(set);
else console.log('skipped: no real sets of statements beside the project');
