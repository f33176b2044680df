import { dateFromDay } from '../../base/time/dates.ts';
import type { SourceOptions } from '../contract/source-options.ts';

/** Names a partition by its symbols and days: `AAPL … MSFT (10 symbols)`, `2026-11-20`. */
export function partitionTitle({
  symbols,
  knownSymbols,
  statements,
  fromDay,
  toDay,
}: SourceOptions): string {
  const names = symbols ?? knownSymbols ?? [];
  const [first] = names;
  const last = names[names.length - 1];
  const parts: string[] = statements ? [statements] : [];
  if (names.length > 2) parts.push(`${first} … ${last} (${names.length} symbols)`);
  else if (names.length > 0) parts.push(names.join(', '));
  if (fromDay !== undefined || toDay !== undefined) {
    const days = [fromDay, toDay].map((day) => (day === undefined ? '' : dateFromDay(day)));
    parts.push(days[0] === days[1] ? days[0] : days.join('/'));
  }
  return parts.join(' ') || 'all';
}
