/**
 * Reads the zips that it is given and prints what came of it: `stage` makes segments of every
 * company's rows, `parse` only unpacks and parses, on one thread: the speed of light.
 */

import { modePaths } from '../../src/base/config/data-dir.ts';
import { readInput } from '../../src/ingest/inputs/read-input.ts';
import { listCompanies } from '../../src/ingest/vendors/sec/list-companies.ts';
import { fetchSec } from '../../src/ingest/vendors/sec/source.ts';

const [mode, root, ...paths] = process.argv.slice(2);

async function stage(): Promise<number> {
  const settings = {
    dataDir: root,
    contact: undefined,
    vendorUrls: {},
    vendorKeys: {},
    vendorLimits: {},
  };
  const { segments, quarantine, scratch } = modePaths(root, 'live');
  const context = {
    paths: { segments, quarantine, scratch, feeds: '' },
    nowMs: Date.now(),
    settings,
  };
  let rows = 0;
  for await (const fetched of fetchSec({ paths }, context)) {
    if ('parquetPath' in fetched) rows += fetched.accepted;
  }
  return rows;
}

async function parse(): Promise<number> {
  const { companies } = await listCompanies(paths, new Map());
  let parsed = 0;
  for (const file of companies.flatMap(({ files }) => files)) {
    const chunks: Buffer[] = [];
    await readInput(file, (chunk) => chunks.push(chunk));
    if (JSON.parse(Buffer.concat(chunks).toString())) parsed++;
  }
  return parsed;
}

const startMs = performance.now();
const count = mode === 'stage' ? await stage() : await parse();
console.log(JSON.stringify({ count, ms: performance.now() - startMs }));
