import type { SourceOptions } from './source-options.ts';

export type ScheduleName =
  | 'minutes'
  | 'days'
  | 'symbols'
  | 'filings'
  | 'insiders'
  | 'news'
  | 'earnings dates'
  | 'analysts'
  | 'expirations';

/** Times are `HH:MM` in New York, from 03:00 on. */
export type TickRule =
  /** Through a session, half days too: first so many minutes after its open, last after its close. */
  | { everyMinutes: number; during: 'session'; lateMinutes: number }
  | { minutesAfterClose: number }
  /** Once a day, or only on days with a session. */
  | { at: string; on: 'days' | 'sessions' }
  /** On all days, between two times of day, the first included. */
  | { everyMinutes: number; from: string; until: string }
  | { everyMinutes: number };

/** A schedule of a vendor. Delays after the close are the vendor's own, with some minutes more. */
export interface SourceSchedule {
  /** Kind of the data. Of all schedules of one kind the first configured one runs, by `rank`. */
  name: ScheduleName;
  rank: number;
  rule: TickRule;
  options?: Pick<SourceOptions, 'dataset' | 'interval' | 'bulk'>;
  /** Asks from so many days before the tick on; default for what is missing. */
  sinceDays?: number;
  /** Asks for so many days before the tick of a symbol without stored bars; default for all days. */
  firstDays?: number;
  /** Asks for the symbols of the watchlist, and does not run without one. */
  isWatched?: true;
  /** Runs only if `TAPEWORKS_SCHEDULE` names the source, whatever else is configured. */
  mustBeNamed?: true;
  priority: 'quotes' | 'daily' | 'backfill';
}
