/**
 * Parquet files of a universe: time, processor time, memory and bytes of the first set, of one
 * without changes, and of `format=parquet`: `node bench/bulk/files.ts [--quick | --smoke]`. Prices
 * are synthetic. Results are checked first.
 */

import { modePaths } from '../../src/base/config/data-dir.ts';
import { readFileSets } from '../../src/store/parquet/file-sets.ts';
import { runTapeworks } from '../command/measure/measured-child.ts';
import { API_SERVER, startServerProcess } from '../command/serving/child.ts';
import type { ApiReady } from '../command/serving/server.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  readable,
  tableFromRows,
} from '../harness.ts';
import { createBulkMarket } from './market.ts';

const SIZES = {
  smoke: { symbolCount: 20, barCount: 2520 },
  quick: { symbolCount: 1000, barCount: 2520 },
  full: { symbolCount: 10_000, barCount: 2520 },
};

const MEGABYTE = 1e6;

/** Runs `files` and returns a row of the table. */
async function madeFiles(dataDir: string, name: string): Promise<string[]> {
  const env = { TAPEWORKS_DATA_DIR: dataDir };
  const { wallMs, cpuMs, peakBytes } = await runTapeworks(['files', '--mode', 'live'], env);
  const [{ files }] = readFileSets(modePaths(dataDir, 'live').files);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const values = [wallMs / 1000, cpuMs / 1000, peakBytes / MEGABYTE, bytes / MEGABYTE];
  return [name, ...values.map(readable)];
}

async function downloaded(dataDir: string, format: string): Promise<string[]> {
  const server = await startServerProcess<ApiReady>(API_SERVER, [dataDir]);
  try {
    const { address, rawKey } = server.ready;
    const [startMs, startUs] = [performance.now(), await server.cpuUs()];
    const path = `/v1/svc/candles?symbols=*&adjustment=raw&format=${format}`;
    const response = await fetch(address + path, { headers: { 'X-API-Key': rawKey } });
    checkResult(response.status === 200, `${path} gave ${response.status}`);
    let bytes = 0;
    for await (const piece of response.body!) bytes += piece.length;
    const cpuS = ((await server.cpuUs()) - startUs) / 1e6;
    const seconds = (performance.now() - startMs) / 1000;
    return [`format=${format}`, readable(seconds), readable(cpuS), '', readable(bytes / MEGABYTE)];
  } finally {
    await server.stop();
  }
}

const { symbolCount, barCount } = SIZES[benchSizeFromArgs()];
const dataDir = benchFolder();
await createBulkMarket(dataDir, symbolCount, barCount);
console.log(`${symbolCount} symbols, ${barCount} synthetic daily bars each; ${machineLine()}\n`);
const rows = [
  await madeFiles(dataDir, 'first set'),
  await madeFiles(dataDir, 'the same version again'),
  await downloaded(dataDir, 'parquet'),
  await downloaded(dataDir, 'arrow'),
];
const [{ files }] = readFileSets(modePaths(dataDir, 'live').files);
checkResult(files.filter(({ interval }) => interval === '1d').length >= 10, 'years have files');
console.log(tableFromRows(['', 's', 'CPU s', 'memory MB', 'MB'], rows));
