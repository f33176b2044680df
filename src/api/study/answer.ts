/** Runs a study as asked, and makes its rows, its definition and its warnings. */

import { assert, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import { nullSentence } from '../../screens/plan/null-parts.ts';
import type { ScreenPlan } from '../../screens/plan/screen-plan.ts';
import { ownNames } from '../../screens/run/own-fields.ts';
import type { ScreenMemory } from '../../screens/run/screen-memory.ts';
import { runDeciles } from '../../screens/study/run-deciles.ts';
import { type EventRoom, runStudies } from '../../screens/study/run-study.ts';
import type { SignalQuestion } from '../../screens/study/signal-run.ts';
import { StudyBatch, StudyEvents } from '../../screens/study/study-events.ts';
import { type StudyMarket, studyMarket } from '../../screens/study/study-market.ts';
import { type Combination, combinationsOf } from '../../screens/study/sweep.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import type { Table } from '../responses/table.ts';
import { eventsTable } from './events-table.ts';
import { type Grouping, groupingOf } from './groups.ts';
import { nullsOfDays } from './past-nulls.ts';
import { comparedTogether, plannedStudies, plannedText } from './planned.ts';
import type { NamedStudy, StudyRequest } from './request.ts';
import {
  daysTable,
  decilesTable,
  type StudyPart,
  SummaryRows,
  type TenthsPart,
  tenthsTable,
} from './tables.ts';
import { currentWarnings, NO_DECILES, triedWarnings, warningsOf } from './warnings.ts';

export interface StudyDefinition {
  where: string | null;
  factor: string | null;
  mode: StudyRequest['mode'];
  entry: StudyRequest['entry'];
  horizons: readonly number[];
  /** Days of the first and the last session with signals; null without any. */
  from: string | null;
  to: string | null;
  universe: string | null;
  by: string;
  currentFields: boolean;
  /** Basis of the prices that returns are computed from. */
  adjustment: 'split';
  /** Version of the data. */
  version: string;
  /** Market sessions from `from` to `to`. */
  sessions: number;
  /** Symbols with a bar in these sessions. */
  symbols: number;
  /** Combinations of `$` parameters. */
  tried: number;
}

export interface StudyAnswer {
  table: Table;
  definition: StudyDefinition;
  warnings: readonly string[];
}

/** @throws {ParameterError} A parameter breaks a rule, or the study is too large. */
export function* answeredStudy(
  snapshot: Snapshot,
  memory: ScreenMemory,
  asked: StudyRequest,
): Generator<undefined, StudyAnswer> {
  const request = { ...asked, own: ownNames(snapshot) };
  const texts = Object.fromEntries(
    (['where', 'factor', 'universe'] as const).flatMap((name) =>
      request[name] === undefined ? [] : [[name, request[name]]],
    ),
  );
  const combinations = combinationsOf(texts, request.parameters);
  requireOneStudy(request, combinations.length);
  const grouping = groupingOf(snapshot, request);
  const market = yield* studyMarket(snapshot, memory);
  const definition = definitionOf(snapshot, market, request, combinations.length);
  const study = { snapshot, market, request, combinations, definition };
  return yield* request.factor === undefined
    ? answeredEvents(study, grouping)
    : answeredTenths(study);
}

/** A study with all that its answer follows from. */
interface AskedStudy {
  snapshot: Snapshot;
  market: StudyMarket;
  request: NamedStudy;
  combinations: readonly Combination[];
  definition: StudyDefinition;
}

function* answeredTenths(study: AskedStudy): Generator<undefined, StudyAnswer> {
  const { snapshot, market, request, combinations, definition } = study;
  const room = roomFor(request);
  const signals = signalsOf(request);
  const parts: TenthsPart[] = [];
  // All are planned first: a mistake in the last one is told at once.
  const questions = combinations.map((combination) => ({
    ...signals,
    factor: plannedText(snapshot, request, 'factor', combination)!,
    universe: plannedText(snapshot, request, 'universe', combination),
  }));
  for (const [i, question] of questions.entries()) {
    const deciles = yield* runDeciles(snapshot, market, question, room);
    parts.push({ combination: combinations[i], deciles });
  }
  const isEmpty = parts.every(({ deciles }) => deciles.length === 0);
  const { factor, universe } = questions[0];
  const warnings = isEmpty
    ? [NO_DECILES, ...(yield* nullWarnings(study, [factor, universe], 'There are none'))]
    : [];
  const { rows } = request;
  return {
    table: rows === 'summary' ? tenthsTable(parts, market) : decilesTable(parts[0].deciles),
    definition,
    warnings: [
      ...warnings,
      ...currentWarnings(request),
      ...triedWarnings(parts.length, 2 * parts.length * request.horizons.length),
    ],
  };
}

/** Warns of what has no value on any day of a study without rows. */
function* nullWarnings(
  { snapshot, market, request }: AskedStudy,
  plans: readonly (ScreenPlan | undefined)[],
  empty?: string,
): Generator<undefined, string[]> {
  const nulls: string[] = [];
  for (const plan of plans) {
    if (plan) nulls.push(...(yield* nullsOfDays(snapshot, market, plan, signalsOf(request))));
  }
  return [nullSentence(nulls, empty) ?? []].flat();
}

function* answeredEvents(study: AskedStudy, grouping: Grouping): Generator<undefined, StudyAnswer> {
  const { snapshot, market, request, combinations, definition } = study;
  const { horizons, rows, mode } = request;
  assert(rows !== 'deciles', 'tenths are those of a factor');
  const studies = yield* plannedStudies(snapshot, request, combinations);
  const signals = signalsOf(request);
  const summaries = new SummaryRows();
  // Studies that run together: fewer if their events take too much memory.
  let [done, events, most] = [0, 0, studies.length];
  let part: StudyPart | undefined;
  const room = roomFor(request);
  while (done < studies.length) {
    const some = studies.slice(done, done + most);
    const question = { ...signals, mode, studies: comparedTogether(market, some) };
    const runs = yield* runStudies(snapshot, market, question, room);
    const parts = runs.map((run) => ({ combination: combinations[done++], run, market, horizons }));
    if (rows !== 'groups') yield* summaries.addAll(parts);
    else for (const one of parts) yield* summaries.addGroups(one, yield* grouping(one));
    events += runs[0].events.count;
    most = runs.length < question.studies.length ? runs.length : most;
    part = parts.at(-1);
  }
  if (rows === 'events') requireRows(events, request);
  const warnings = warningsOf(summaries, { request, events, definition });
  if (rows === 'groups' && request.by !== 'none' && summaries.isUngrouped) {
    warnings.push(`No event has a value of ${request.by}, so all are in one group.`);
  }
  if (events === 0) {
    warnings.push(...(yield* nullWarnings(study, [studies[0].where, studies[0].universe])));
  }
  const table =
    rows === 'events' || rows === 'days'
      ? yield* rows === 'days' ? daysTable(part!) : eventsTable(snapshot, part!, request.entry)
      : summaries.table(rows === 'groups');
  return { table, definition, warnings };
}

function roomFor(request: StudyRequest): EventRoom {
  return {
    bytesMax: limits.study.eventBytesMax,
    eventBytes: 0,
    tables: [],
    tooMany: (bytesMax) => tooManyEvents(request, bytesMax),
  };
}

/** Returns what decides returns, whatever the signals are. */
function signalsOf({ entry, horizons, fromDay, toDay }: StudyRequest): SignalQuestion {
  return {
    ...{ entry, horizons },
    fromDay: fromDay ?? Number.NEGATIVE_INFINITY,
    toDay: toDay ?? Number.POSITIVE_INFINITY,
  };
}

/** @throws {ParameterError} Rows of events or days are those of one study. */
function requireOneStudy({ rows }: StudyRequest, count: number): void {
  if (count === 1 || rows === 'summary' || rows === 'groups') return;
  throw new ParameterError(
    'rows',
    `rows=${rows} needs one study: give each $ parameter one value, got ${count} combinations`,
  );
}

function requireRows(count: number, { format }: StudyRequest): void {
  const { rowsMax, rowsJsonMax } = limits.study;
  const most = format === 'json' ? rowsJsonMax : rowsMax;
  if (count <= most) return;
  const advice = format === 'json' ? 'ask for csv, arrow or parquet' : 'narrow from and to';
  throw new ParameterError(
    'rows',
    `rows=events gives at most ${most} rows in this format, got ${count}: ${advice}`,
  );
}

function tooManyEvents({ horizons, mode, where }: StudyRequest, bytesMax: number): ParameterError {
  const bytes = StudyEvents.bytesOf(horizons.length) + StudyBatch.BYTES;
  const most = Math.floor(bytesMax / bytes);
  const advice =
    mode === 'matches'
      ? 'use mode=begins, or narrow from, to or where'
      : 'narrow from, to or where';
  const field = where === undefined ? 'factor' : 'where';
  return new ParameterError(
    field,
    `${field} matches more than ${most} times, the most of a study with ${horizons.length} horizons: ${advice}`,
  );
}

function definitionOf(
  snapshot: Snapshot,
  market: StudyMarket,
  request: StudyRequest,
  tried: number,
): StudyDefinition {
  const { sessions, marketDays } = market;
  const days = sessions.filter(
    (day, i) =>
      marketDays[i + 1] > marketDays[i] &&
      day >= (request.fromDay ?? day) &&
      day <= (request.toDay ?? day),
  );
  const first = days[0];
  const last = days.at(-1);
  const hasBar = (number: number) =>
    first !== undefined && market.days.rowOf(number, first) < market.days.rowOf(number, last! + 1);
  const { where, factor, mode, entry, horizons, universe, by } = request;
  return {
    ...{ where: where ?? null, factor: factor ?? null, mode, entry, horizons },
    from: first === undefined ? null : dateFromDay(first),
    to: last === undefined ? null : dateFromDay(last),
    universe: universe ?? null,
    by,
    currentFields: request.hasCurrentFields,
    adjustment: 'split',
    version: snapshot.id,
    sessions: days.length,
    symbols: market.order.filter(hasBar).length,
    tried,
  };
}
