/**
 * Fetches filings of insiders over the network: whole quarters as data sets, later days by their
 * indexes, and today by the feed.
 */

import { MalformedInputError } from '../../../base/errors.ts';
import { newYorkMidnightMs } from '../../../base/time/calendar.ts';
import { mkdir, rm } from '../../../base/world/file-promises.ts';
import type { FetchContext, FetchedRows, SkippedInput } from '../../contract/fetch-context.ts';
import { type SourceOptions, statedAsOf } from '../../contract/source-options.ts';
import { HttpClient } from '../../http/client.ts';
import { stageDatasetRows } from '../../rows/segment.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { indexName, indexPath, weekdaysBetween } from '../shared/edgar-archive.ts';
import type { EdgarFiling } from '../shared/parse-form-index.ts';
import { type Quarter, quartersBetween } from '../shared/quarters.ts';
import { createEdgarClient, type EdgarClient, quarterPath } from './edgar-client.ts';
import { type AskedDays, daysOf } from './edgar-days.ts';
import { FORM4, FORM4_DATASETS, fetchForm4Files, rowsOfSubmission, wantedRows } from './files.ts';
import type { TickersByCik } from './issuer-symbol.ts';
import { form4Limits } from './limits.ts';

interface Run {
  edgar: EdgarClient;
  options: SourceOptions;
  context: FetchContext;
  stored: Record<'origins' | 'accessions', ReadonlySet<string>>;
  /** Filings already requested in this run. */
  asked: Set<string>;
  /** Requested registrants; undefined if any may match. */
  ciks: ReadonlySet<number> | undefined;
  days: AskedDays;
}

/** Days after which a quarter's data set should be published, if it ever is. */
const PUBLISHED_DAYS = 120;

/**
 * Fetches the days from `--from` (default: the last three months) to `--to` that the ledger lacks.
 * A data set is loaded whole, even if `--from` is in its middle.
 * @throws {ConfigError} no contact is set.
 */
export async function* fetchForm4Online(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  await using http = new HttpClient(context.settings, { signal: context.signal });
  const edgar = createEdgarClient(http, context);
  const days = daysOf(options, context.nowMs);
  const { origins, accessions } = options.storedFilings ?? {};
  const stored = { origins: new Set(origins), accessions: new Set(accessions) };
  const ciks = ciksAsked(options);
  const run: Run = { edgar, options, context, stored, asked: new Set(), ciks, days };
  for (const quarter of quartersBetween(days.from, days.to)) yield* fetchQuarter(quarter, run);
  if (days.to >= days.today) yield* fetchToday(run);
}

/** Fetches a quarter as a data set if there is one, else day by day. */
async function* fetchQuarter(quarter: Quarter, run: Run): AsyncGenerator<FetchedRows> {
  const { edgar, context, stored, days } = run;
  if (quarter.lastDay < days.today) {
    const origin = originOf(quarterPath(quarter), run);
    if (stored.origins.has(origin)) return;
    await mkdir(context.paths.scratch, { recursive: true });
    const zip = await edgar.quarterZip(quarter);
    if (zip !== undefined) {
      try {
        yield await stageQuarter(zip, origin, run);
      } finally {
        await rm(zip, { force: true });
        await rm(`${zip}.mark`, { force: true });
      }
      return;
    }
    if (quarter.lastDay < days.today - PUBLISHED_DAYS) {
      const reason = 'the SEC has no data set of this quarter';
      yield await stage([], origin, run, [{ name: quarter.name, reason }]);
      return;
    }
  }
  yield* fetchDays(quarter, run);
}

/** @throws {MalformedInputError} the zip is no data set, or none of its rows can be read. */
async function stageQuarter(
  zip: string,
  origin: string,
  { options, context }: Run,
): Promise<FetchedRows> {
  const whole = { ...options, paths: [zip], fromDay: undefined, toDay: undefined };
  for await (const segment of fetchForm4Files(whole, context)) {
    const { source, accepted, rejected, rejectedByReason } = segment;
    if (source !== FORM4_DATASETS) break;
    // In the ledger it would count as read.
    if (accepted === 0 && rejected > 0) {
      throw new MalformedInputError(`${origin}: ${[...rejectedByReason.keys()][0]}`);
    }
    // Its readme and tables of holdings are not worth a report.
    return { ...segment, origin, skipped: [] };
  }
  throw new MalformedInputError(`${origin} is not a data set of insiders’ transactions`);
}

async function* fetchDays(quarter: Quarter, run: Run): AsyncGenerator<FetchedRows> {
  const { edgar, stored, days } = run;
  const first = Math.max(quarter.firstDay, days.from);
  const last = Math.min(quarter.lastDay, days.to);
  const missing = weekdaysBetween(first, last).filter(
    (day) => !stored.origins.has(originOf(indexPath(quarter, day), run)),
  );
  if (missing.length === 0) return;
  const names = await edgar.indexNames(quarter);
  for (const day of missing) {
    const path = indexPath(quarter, day);
    // Skip days that are not in the list: for a missing index the SEC may respond with 403.
    if (names && !names.has(indexName(day))) continue;
    const index = await edgar.dayIndex(path);
    if (!index) continue;
    const refused = index.refused.map((line) => ({ ...line, name: indexName(day) }));
    yield* fetchFilings(index.filings, { origin: originOf(path, run), refused }, run);
  }
}

async function* fetchToday(run: Run): AsyncGenerator<FetchedRows> {
  const { edgar, days } = run;
  const filings = new Map<string, EdgarFiling>();
  const refused: UncheckedRow[] = [];
  for (const form of ['4', '5'] as const) {
    for (let page = 0; page < form4Limits.feedPagesMax; page++) {
      const before = filings.size;
      const feed = await edgar.feedPage(form, page);
      for (const filing of feed.filings) filings.set(filing.accession, filing);
      refused.push(...feed.refused.map((entry) => ({ ...entry, name: 'current filings' })));
      const isLast = feed.entryCount < form4Limits.feedEntriesPerPage;
      const isYesterday = (feed.oldestMs ?? 0) < newYorkMidnightMs(days.today);
      if (isLast || isYesterday || filings.size === before) break;
    }
  }
  const origin = originOf('/cgi-bin/browse-edgar?action=getcurrent', run);
  yield* fetchFilings([...filings.values()], { origin, refused }, run);
}

/** Stages wanted filings that are not stored, in chunks. The last segment has the origin. */
async function* fetchFilings(
  filings: readonly EdgarFiling[],
  { origin, refused }: { origin: string; refused: readonly UncheckedRow[] },
  run: Run,
): AsyncGenerator<FetchedRows> {
  const { edgar, stored, asked, ciks, context } = run;
  const tickersByCik = new Map(run.options.tickersByCik);
  const { onProgress } = context;
  const wanted = filings.filter(
    (filing) =>
      !asked.has(filing.accession) &&
      !stored.accessions.has(filing.accession) &&
      (!ciks || filing.ciks.some((cik) => ciks.has(cik))),
  );
  for (const { accession } of wanted) asked.add(accession);
  const size = form4Limits.filingsPerSegment;
  for (let at = 0; at === 0 || at < wanted.length; at += size) {
    const isLast = at + size >= wanted.length;
    const skipped: SkippedInput[] = [];
    const some = wanted.slice(at, at + size);
    const rows = submittedRows(some, { edgar, tickersByCik, skipped, onProgress });
    const all = isLast ? withRefused(rows, refused) : rows;
    yield await stage(all, isLast ? origin : `${origin} (in part)`, run, skipped);
  }
}

async function* withRefused(
  rows: AsyncIterable<UncheckedRow>,
  refused: readonly UncheckedRow[],
): AsyncGenerator<UncheckedRow> {
  yield* rows;
  yield* refused;
}

/** Registrants of the requested symbols; undefined if the directory lacks one: all are read. */
function ciksAsked({ symbol, symbols, tickersByCik = [] }: SourceOptions): Set<number> | undefined {
  const asked = symbol === undefined ? symbols : [symbol];
  const ciks = new Set<number>();
  const found = new Set<string>();
  for (const [cik, tickers] of tickersByCik) {
    for (const ticker of tickers) {
      if (!asked?.includes(ticker)) continue;
      ciks.add(cik);
      found.add(ticker);
    }
  }
  return asked?.every((ticker) => found.has(ticker)) ? ciks : undefined;
}

/** Origin of a request. A request for some symbols must not count as complete for others. */
function originOf(path: string, { edgar, options }: Run): string {
  const asked = options.symbol === undefined ? options.symbols : [options.symbol];
  const address = edgar.addressOf(path);
  return asked === undefined ? address : `${address} of ${asked.toSorted().join(', ')}`;
}

function stage(
  rows: Iterable<UncheckedRow> | AsyncIterable<UncheckedRow>,
  origin: string,
  { options, context }: Run,
  skipped: SkippedInput[],
): Promise<FetchedRows> {
  const head = { dataset: 'insider', source: FORM4, asOfUs: statedAsOf(options), origin, skipped };
  const anyDay = { ...options, fromDay: undefined, toDay: undefined };
  return stageDatasetRows(head, wantedRows(rows, anyDay), context);
}

interface SubmittedDeps extends Pick<FetchContext, 'onProgress'> {
  edgar: Pick<EdgarClient, 'submission'>;
  tickersByCik: TickersByCik;
  /** Receives filings that no longer exist. */
  skipped: SkippedInput[];
}

/** Sends several requests at a time, so that their pace is the limit and not their duration. */
async function* submittedRows(
  filings: readonly EdgarFiling[],
  { edgar, tickersByCik, skipped, onProgress }: SubmittedDeps,
): AsyncGenerator<UncheckedRow> {
  const step = form4Limits.requestsAtOnce;
  for (let at = 0; at < filings.length; at += step) {
    onProgress?.('filings', at, filings.length);
    const some = filings.slice(at, at + step);
    const answers = await Promise.all(some.map(({ path }) => edgar.submission(path)));
    for (const [index, bytes] of answers.entries()) {
      const name = some[index].accession;
      if (bytes) yield* rowsOfOne(name, bytes, tickersByCik);
      else skipped.push({ name, reason: 'the SEC does not have it any more' });
    }
  }
  onProgress?.('filings', filings.length, filings.length);
}

function rowsOfOne(name: string, bytes: Buffer, tickersByCik: TickersByCik): UncheckedRow[] {
  try {
    const rows = rowsOfSubmission(bytes, tickersByCik);
    // Filings without transactions are usual and not reported.
    return typeof rows === 'string' ? [] : rows.map((row) => ({ ...row, name }));
  } catch (error) {
    if (!(error instanceof MalformedInputError)) throw error;
    return [{ name, reason: error.message }];
  }
}
