/** Fetches rows from Financial Statement Data Sets: files on disk, or quarters over the network. */

import { join } from 'node:path';
import { makeFolders } from '../../../base/data-folder.ts';
import { MalformedInputError, SourceEmptyError, UnknownSymbolError } from '../../../base/errors.ts';
import { lockFile } from '../../../base/file-lock.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { delay } from '../../../base/world/clock.ts';
import { rm } from '../../../base/world/file-promises.ts';
import { existsSync } from '../../../base/world/files.ts';
import type { FetchContext, Fetched } from '../../contract/fetch-context.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import type { HttpClient } from '../../http/client.ts';
import { download } from '../../http/download.ts';
import { baseUrl } from '../../http/host.ts';
import { openScratch } from '../../segments/scratch.ts';
import { type Quarter, quartersBetween, quartersFromText } from '../shared/quarters.ts';
import { SEC, type SecAsk } from '../shared/sec.ts';
import type { CompanyOutcome, Listing } from './company-outcome.ts';
import { extractSet } from './extract-set.ts';
import { secLimits } from './limits.ts';
import { listSets, type SetFiles } from './list-sets.ts';
import { setCompanies } from './set-companies.ts';
import { stageCompanies } from './stage-companies.ts';

type Listings = ReadonlyMap<number, readonly Listing[]>;

interface Run {
  listings: Listings;
  options: SourceOptions;
  context: FetchContext;
}

/** Quarters before a set whose filings its differences need: a year's three quarters. */
const EARLIER_SETS = 4;

/** Reads sets on disk as one. */
export async function* fetchSetFiles(sets: readonly SetFiles[], run: Run): AsyncGenerator<Fetched> {
  await using scratch = await openScratch(run.context);
  const paths: string[] = [];
  for (const [i, set] of sets.entries()) {
    paths.push(join(scratch.folder, `${i}.jsonl.gz`));
    await extractSet(set, paths[i], run.context);
  }
  const origin = sets.map(({ name }) => name).join(', ');
  yield* stageSets(paths, [], origin, run);
}

/** Fetches the quarters of `--statements` that the ledger lacks. */
export async function* fetchQuarters(
  http: Pick<HttpClient, 'exchange'>,
  ask: SecAsk,
  run: Run,
): AsyncGenerator<Fetched> {
  const { options, context } = run;
  const today = newYorkDay(context.nowMs);
  const quarters = quartersFromText(options.statements ?? '', today);
  for (const quarter of quarters) {
    const origin = originOf(quarter, run);
    if (options.storedFilings?.origins.includes(origin)) continue;
    using _turn = await turnOf(context);
    const earlier: string[] = [];
    for (const before of earlierQuarters(quarter)) {
      const path = await extractedQuarter(http, ask, before, context);
      if (path) earlier.push(path);
    }
    const path = await extractedQuarter(http, ask, quarter, context);
    const reason = 'the SEC has no set of financial statements of this quarter';
    if (!path) throw new SourceEmptyError(`${quarter.name}: ${reason}`);
    yield* stageSets([path], earlier, origin, run);
    await forgetBefore(quarter, context);
  }
}

const FIRST_SET = '2009q2';

function earlierQuarters({ firstDay }: Quarter): Quarter[] {
  const year = quartersBetween(firstDay - 366, firstDay - 1);
  return year.slice(-EARLIER_SETS).filter(({ name }) => name >= FIRST_SET);
}

function setPath({ name }: Quarter): string {
  return `/files/dera/data/financial-statement-data-sets/${name}.zip`;
}

/** Origin in the ledger. A run for some symbols must not count as complete for others. */
function originOf(quarter: Quarter, { options: { symbols }, context }: Run): string {
  const address = baseUrl(SEC, context.settings) + setPath(quarter);
  return symbols === undefined ? address : `${address} of ${symbols.toSorted().join(', ')}`;
}

const folderOf = ({ paths }: FetchContext) => join(paths.scratch, 'sec-sets');
const extractOf = ({ name }: Quarter, context: FetchContext) =>
  join(folderOf(context), `${name}.jsonl.gz`);

const TURN_WAIT_MS = 200;

/** Waits for other fetches, in this process and others, which read and delete the same extracts. */
async function turnOf(context: FetchContext): Promise<Disposable> {
  makeFolders(folderOf(context));
  for (;;) {
    const lock = lockFile(join(folderOf(context), 'turn.lock'));
    if (lock) return { [Symbol.dispose]: () => lock.close() };
    await delay(TURN_WAIT_MS, undefined, { signal: context.signal });
  }
}

/** Downloads and extracts a quarter. @returns the path; undefined if the SEC has no such set. */
async function extractedQuarter(
  http: Pick<HttpClient, 'exchange'>,
  ask: SecAsk,
  quarter: Quarter,
  context: FetchContext,
): Promise<string | undefined> {
  const path = extractOf(quarter, context);
  if (existsSync(path)) return path;
  const zip = join(folderOf(context), `${quarter.name}.zip`);
  try {
    // A missing quarter is reported like an unknown symbol elsewhere.
    const request = { ...ask(SEC, setPath(quarter)), symbol: quarter.name };
    const onProgress = (bytes: number, total: number | undefined) =>
      context.onProgress?.(`download ${quarter.name}`, bytes, total ?? bytes);
    await download(http, { request, path: zip, onProgress });
  } catch (error) {
    if (error instanceof UnknownSymbolError) return undefined;
    throw error;
  }
  try {
    const { sets } = await listSets([zip]);
    if (sets.length === 0) {
      throw new MalformedInputError(`${quarter.name}.zip is no set of financial statements`);
    }
    await extractSet(sets[0], path, context);
  } finally {
    // A damaged zip is not kept either: the SEC would respond that it has not changed.
    await rm(zip, { force: true });
    await rm(`${zip}.mark`, { force: true });
  }
  return path;
}

/** Deletes the extract that no later quarter needs. */
async function forgetBefore(quarter: Quarter, context: FetchContext): Promise<void> {
  const [oldest] = earlierQuarters(quarter);
  if (oldest) await rm(extractOf(oldest, context), { force: true });
}

/** Stages the rows of companies in batches. The last one has the origin. */
async function* stageSets(
  paths: readonly string[],
  earlier: readonly string[],
  origin: string,
  { listings, options, context }: Run,
): AsyncGenerator<Fetched> {
  let batch: CompanyOutcome[] = [];
  let facts = 0;
  let done = 0;
  const stage = async function* (isLast: boolean) {
    const name = isLast ? origin : `${origin} (in part)`;
    yield* stageCompanies(batch, { origin: name, isFace: true, skipped: [] }, options, context);
    batch = [];
    facts = 0;
  };
  for await (const outcome of setCompanies(paths, earlier, listings)) {
    if (facts >= secLimits.setBatchFacts) yield* stage(false);
    batch.push(outcome);
    facts += outcome.factCount;
    context.onProgress?.('read companies', ++done, listings.size);
  }
  if (batch.length === 0) {
    throw new SourceEmptyError(`no company in ${origin} has a known ticker`);
  }
  yield* stage(true);
}
