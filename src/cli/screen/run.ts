/** Runs a screen over a published version, in this process. */

import { requireNoFuture } from '../../api/http/query-fields.ts';
import { rowsOfSymbols } from '../../api/responses/screener-symbols.ts';
import type { Table } from '../../api/responses/table.ts';
import { firstNames } from '../../api/routes/candles/symbols.ts';
import { type ScreenerRequest, screenerQuery } from '../../api/routes/screener/query.ts';
import { checkedSavedQuery } from '../../api/routes/screener/saved-query.ts';
import { jsonRows, type PageRows, pageRows, tableOfRows } from '../../api/screens/page.ts';
import { runScreen } from '../../api/screens/screened.ts';
import { screenUniverse } from '../../api/screens/universes.ts';
import { studyRows } from '../../api/study/respond.ts';
import {
  type DaysRequest,
  pageOfDays,
  screenedDays,
  tableOfDays,
} from '../../api/study/screened-days.ts';
import { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { monotonicMs, wallMs } from '../../base/world/clock.ts';
import { compileScreen } from '../../screens/plan/compile.ts';
import { lastOf } from '../../screens/run/in-steps.ts';
import { ownNames } from '../../screens/run/own-fields.ts';
import { ScreenMemory } from '../../screens/run/screen-memory.ts';
import type { ScreenUniverse } from '../../screens/run/screen-universe.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import type { ModeOptions } from '../options.ts';
import type { ScreenedRow, ScreenedValue } from './print.ts';
import type { ScreenOptions } from './screen-options.ts';

/** Parameters of the screener, as texts of options. */
type ScreenTextOptions = Omit<
  ScreenOptions,
  keyof ModeOptions | 'limit' | 'format' | 'out' | 'force'
> & { where: string | undefined };

/** @throws {ParameterError} a parameter breaks a rule. */
export function requestFromOptions(options: ScreenTextOptions): ScreenerRequest {
  const { where, columns, sort, order, asOf, from, to, explain, filter = '' } = options;
  if (filter !== '') checkedSavedQuery('--filter', filter, 'webhook');
  const parameters = new URLSearchParams();
  const given = {
    ...{ where, columns, sort, order, as_of: asOf, from, to },
    ...(options.begins && { begins: 'true' }),
    ...(options.currentFields && { current_fields: 'true' }),
    ...(explain && { explain: 'true', symbols: explain.join(',') }),
  };
  for (const [name, text] of Object.entries(given)) {
    if (text !== undefined) parameters.set(name, text);
  }
  const query = [parameters.toString(), filter].filter(Boolean).join('&');
  const request = screenerQuery(query, undefined);
  requireNoFuture(request.screen?.asOfDay, wallMs());
  return request;
}

export interface ScreenResult extends Omit<PageRows, 'rows' | 'values' | 'hasMore'> {
  /** Number of rows: `total`, or the limit. */
  rowCount: number;
  /** Texts of the further columns. */
  columns: readonly string[];
  /** Time of the screen, without opening the files. */
  tookMs: number;
  rows(): ScreenedRow[];
  table(): Table;
}

/** @throws {ParameterError} an expression is wrong, or there are no bars as of the day. */
export function screenVersion(
  version: PublishedVersion,
  request: ScreenerRequest,
  limit: number,
): ScreenResult {
  const startMs = monotonicMs();
  const { filters, screen, symbols, sort, direction } = request;
  const { texts = {}, isExplained = false, asOfDay } = screen ?? {};
  const plan = compileScreen(texts, ownNames(version));
  const memory = new ScreenMemory(limits.screens.memoryBytesMax);
  const universe = lastOf(screenUniverse(version, memory, asOfDay));
  if (isExplained && symbols) requireKnown(version, universe, symbols);
  const needsRsi = asOfDay !== undefined;
  const screened = lastOf(runScreen(version, plan, universe, { isExplained, needsRsi, memory }));
  const {
    rows,
    values: _,
    hasMore: __,
    ...page
  } = pageRows(version, screened, {
    ...{ filters, symbols, sort, direction, limit, isExplained, place: undefined },
  });
  return {
    ...page,
    rowCount: rows.length,
    columns: plan.columns.map(({ text }) => text),
    tookMs: monotonicMs() - startMs,
    rows: () => JSON.parse(`[${jsonRows(screened, rows)}]`),
    table: () => tableOfRows(screened, rows),
  };
}

export interface DaysResult {
  rowCount: number;
  total: number;
  names: readonly string[];
  /** Different symbols of all rows. */
  symbols: number;
  /** Fields or conditions without a value, if there is no row. */
  nulls: readonly string[];
  tookMs: number;
  rows(): Record<string, ScreenedValue>[];
  table(): Table;
}

/** @throws {ParameterError} An expression is wrong, or reads a field without a past. */
export function daysOfVersion(
  version: PublishedVersion,
  request: DaysRequest,
  limit: number,
): DaysResult {
  const startMs = monotonicMs();
  const memory = new ScreenMemory(limits.screens.memoryBytesMax);
  const days = lastOf(screenedDays(version, memory, request));
  const { start, end } = pageOfDays(days, { limit, place: undefined });
  const table = tableOfDays(days, start, end);
  return {
    rowCount: end,
    total: days.symbols.length,
    names: table.map(({ name }) => name),
    symbols: new Set(days.symbols).size,
    nulls: days.nulls,
    tookMs: monotonicMs() - startMs,
    rows: () => studyRows(table),
    table: () => table,
  };
}

/** @throws {ParameterError} no symbol has or had a name, on the day of the screen either. */
function requireKnown(
  version: PublishedVersion,
  universe: ScreenUniverse,
  names: readonly string[],
): void {
  const { notFound } = rowsOfSymbols(version, universe, names);
  const unknown = notFound.filter((name) => version.resolve(name) === undefined);
  if (unknown.length === 0) return;
  throw new ParameterError('symbols', `--explain has unknown symbols: ${firstNames(unknown)}`);
}
