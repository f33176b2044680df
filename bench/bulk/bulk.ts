/**
 * Bulk answers against bare Express handlers that send the same bytes: `node bench/bulk/bulk.ts
 * [--quick | --smoke]`. Results are checked first. The history of one symbol is in `tapeworks bench
 * serving`.
 *
 * The server is a process of its own. The client only counts bytes: a reader that decodes them
 * takes longer than the server does, and would hide what the server costs.
 */

import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RecordBatchReader } from 'apache-arrow';
import { generatedBars } from '../command/data/synthetic.ts';
import { startServerProcess } from '../command/serving/child.ts';
import { benchFolder, benchSizeFromArgs, checkResult, goalLines, machineLine } from '../harness.ts';
import { printMeasured, takeInterleaved } from './load.ts';
import { createBulkMarket } from './market.ts';
import type { BulkReady } from './server.ts';

const SIZES = {
  smoke: { symbolCount: 20, barCount: 2520, rounds: 1 },
  quick: { symbolCount: 2000, barCount: 2520, rounds: 3 },
  full: { symbolCount: 10_000, barCount: 2520, rounds: 7 },
};

const OURS = 'universe as Arrow';
const CAT = 'the same bytes from a file, bare Express';
const MEMORY = 'as many bytes from memory, bare Express';
const ADJUSTED = 'universe as Arrow, split-adjusted on read';
const CSV = 'CSV of every tenth symbol';

/** Saves the answer and compares it with what was published. @returns its length. */
async function saveChecked(
  { address, rawKey }: BulkReady,
  path: string,
  copyPath: string,
  symbols: readonly string[],
  barCount: number,
): Promise<number> {
  const answer = await fetch(address + path, { headers: { 'X-API-Key': rawKey } });
  checkResult(answer.status === 200 && answer.body !== null, `${path} gave ${answer.status}`);
  await pipeline(Readable.fromWeb(answer.body), createWriteStream(copyPath));
  const file = createReadStream(copyPath);
  const reader = await RecordBatchReader.from(file);
  let number = 0;
  for await (const batch of reader) {
    const isSymbol = batch.getChild('symbol')?.get(0) === symbols[number];
    checkResult(isSymbol && batch.numRows === barCount, `batch ${number} is not its symbol's`);
    if (number % 100 === 0) {
      const { close } = generatedBars(barCount, number);
      const values = batch.getChild('close')?.toArray() as Float64Array;
      checkResult(
        close.every((value, row) => value === values[row]),
        `closes of ${number}`,
      );
    }
    number++;
  }
  checkResult(number === symbols.length, `${number} of ${symbols.length} symbols were answered`);
  return file.bytesRead;
}

async function benchUniverse(
  dataDir: string,
  symbols: readonly string[],
  barCount: number,
  rounds: number,
): Promise<void> {
  const copyPath = join(dataDir, 'universe.arrow');
  const server = await startServerProcess<BulkReady>(new URL('./server.ts', import.meta.url), [
    dataDir,
    copyPath,
  ]);
  try {
    const { address, bareAddress } = server.ready;
    const bulk = '/v1/svc/candles?symbols=*';
    const stored = `${bulk}&adjustment=raw`;
    const bytes = await saveChecked(server.ready, stored, copyPath, symbols, barCount);
    const tenth = symbols.filter((_, number) => number % 10 === 0);
    const results = await takeInterleaved(
      server,
      {
        [OURS]: { address, path: stored },
        [CAT]: { address: bareAddress, path: '/cat' },
        [MEMORY]: { address: bareAddress, path: `/memory/${bytes}` },
        [ADJUSTED]: { address, path: bulk },
        [CSV]: { address, path: `/v1/svc/candles?symbols=${tenth}&adjustment=raw&format=csv` },
      },
      rounds,
    );
    printMeasured(results);
    const goals = [
      {
        name: `${OURS}: time of ${CAT} ÷ ours`,
        ratio: results[CAT].ms / results[OURS].ms,
        atLeast: 0.5,
      },
      {
        name: `${OURS}: CPU time of ${CAT} ÷ ours`,
        ratio: results[CAT].cpuMs / results[OURS].cpuMs,
        atLeast: 0.5,
      },
    ];
    console.log(goalLines(goals));
  } finally {
    await server.stop();
  }
}

const { symbolCount, barCount, rounds } = SIZES[benchSizeFromArgs()];
const dataDir = benchFolder();
const symbols = await createBulkMarket(dataDir, symbolCount, barCount);
console.log(`${symbolCount} symbols, ${barCount} daily bars each; ${machineLine()}\n`);
await benchUniverse(dataDir, symbols, barCount, rounds);
