/** Groups of a study's events: by period, or by a text of the directory. */

import { ParameterError } from '../../base/errors.ts';
import { SCREEN_FIELD_NAMES, type ScreenFieldName, screenField } from '../../base/fields.ts';
import { companyOn } from '../../store/arrow/snapshot/current-symbols.ts';
import { listedRows } from '../../store/arrow/snapshot/directory-table.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { requirePast, type StudyRequest } from './request.ts';
import { type EventGroups, groupedBy, periodGroups, type StudyPart } from './tables.ts';

/** @throws {ParameterError} `by` is no period, and no field that groups can be made of. */
export function groupsBy(
  snapshot: Snapshot,
  request: StudyRequest,
  part: StudyPart,
): Generator<undefined, EventGroups> {
  const { by } = request;
  const { places } = part.run;
  if (by === 'none') return groupedBy(places, () => '');
  if (by === 'year' || by === 'month') return periodGroups(part, by);
  return groupedBy(places, (at) => textOfEvent(snapshot, part, at, by));
}

/** Fields that groups can be made of, by their column of the directory. */
const GROUP_FIELDS = ['sector', 'industry', 'country', 'exchange', 'type'] as const;

/** @throws {ParameterError} The field has no groups, or no past. */
export function requireGroups({ by, hasCurrentFields }: StudyRequest): void {
  if (by === 'year' || by === 'month' || by === 'none') return;
  if (!(GROUP_FIELDS as readonly string[]).includes(by)) {
    const names = ['year', 'month', 'none', ...GROUP_FIELDS].join(', ');
    const field = SCREEN_FIELD_NAMES.find((name) => name === by);
    const isNumber = field !== undefined && screenField(field).kind === 'number';
    const advice = isNumber ? `: compare it in universe, as in universe=${by} > 1` : '';
    throw new ParameterError('by', `by must be one of ${names}, got "${by}"${advice}`);
  }
  requirePast('by', by, by as ScreenFieldName, hasCurrentFields);
}

/** Returns a text of the directory: the exchange as of the day, others as of today. */
function textOfEvent(
  { listings, symbols }: Snapshot,
  { run: { events }, market }: StudyPart,
  at: number,
  name: string,
): string {
  const row = listedRows(listings).get(symbols[events.numbers[at]]);
  if (row === undefined) return '';
  if (name !== 'exchange') return listings[name as (typeof GROUP_FIELDS)[number]][row];
  return companyOn(listings, row, market.sessions[events.sessions[at]]).exchange ?? '';
}
