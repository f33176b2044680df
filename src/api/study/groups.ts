/** Groups of a study's events: by period, by a text of the directory, or by fifths of a number. */

import { ParameterError } from '../../base/errors.ts';
import { isOwnField, SCREEN_FIELD_NAMES, screenField } from '../../base/fields.ts';
import { placesOf } from '../../screens/study/run-study.ts';
import { tickerOfDay } from '../../screens/study/study-market.ts';
import { companyOn } from '../../store/arrow/snapshot/current-symbols.ts';
import { listedRows } from '../../store/arrow/snapshot/directory-table.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { Fifths } from './fifths.ts';
import { type NamedStudy, requirePast } from './request.ts';
import { type EventGroups, groupedBy, periodGroups, type StudyPart } from './tables.ts';

/** Makes the groups of a study; those of numbers are made from what all studies of a sweep share. */
export type Grouping = (part: StudyPart) => Generator<undefined, EventGroups>;

/** Texts of the directory that groups can be made of. */
const TEXTS = ['exchange', 'symbol', 'company_name', 'sector', 'industry', 'country', 'type'];

const PERIODS = ['year', 'month', 'none'];

/** @throws {ParameterError} `by` is no period, and no field that groups can be made of. */
export function groupingOf(snapshot: Snapshot, request: NamedStudy): Grouping {
  const { by } = request;
  requireGroups(request);
  if (by === 'none') return ({ run }) => groupedBy(placesOf(run), () => '');
  if (by === 'year' || by === 'month') return (part) => periodGroups(part, by);
  if (TEXTS.includes(by)) {
    return (part) => groupedBy(placesOf(part.run), (at) => textOfEvent(snapshot, part, at, by));
  }
  const fifths = new Fifths(snapshot, request);
  return (part) => fifths.groupsOf(part);
}

/** @throws {ParameterError} The field has no groups, or no past. */
export function requireGroups({ by, hasCurrentFields, own }: NamedStudy): void {
  if (PERIODS.includes(by) || own.columns.includes(by)) return;
  const field = SCREEN_FIELD_NAMES.find((name) => name === by && !isOwnField(name));
  if (field === undefined || (screenField(field).kind === 'text' && !TEXTS.includes(by))) {
    const names = [...PERIODS, ...TEXTS].join(', ');
    throw new ParameterError(
      'by',
      `by must be one of ${names}, or a field that is a number, such as market_cap, got "${by}"`,
    );
  }
  requirePast('by', by, field, hasCurrentFields);
}

/** Returns a text of the directory: ticker, name and exchange as of the day, others as of today. */
function textOfEvent(
  snapshot: Snapshot,
  { run: { events }, market }: StudyPart,
  at: number,
  name: string,
): string {
  const { listings, symbols } = snapshot;
  const number = events.numbers[at];
  const day = market.sessions[events.sessions[at]];
  if (name === 'symbol') return tickerOfDay(snapshot, number, day);
  const row = listedRows(listings).get(symbols[number]);
  if (row === undefined) return '';
  const { exchange, companyName } = companyOn(listings, row, day);
  if (name === 'exchange') return exchange ?? '';
  if (name === 'company_name') return companyName ?? '';
  return listings[name as 'sector' | 'industry' | 'country' | 'type'][row];
}
