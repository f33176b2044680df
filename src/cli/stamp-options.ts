/** Options of `backfill` that say how local files stamp their bars. */

import { type Command, Option } from 'commander';
import { UsageError } from '../errors.ts';
import { BASE_INTERVALS } from '../ingest/candle-interval.ts';

export function withStampOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--interval <interval>', 'what stamps do not tell').choices(BASE_INTERVALS),
    )
    .option('--zone <name>', 'of stamps without one: America/New_York, UTC, …', zoneFromOption)
    .addOption(
      new Option('--stamps <end>', 'of a bar of minutes: start (default) or end').choices([
        'start',
        'end',
      ]),
    );
}

/** Offsets are no names: they know no daylight saving time. */
function zoneFromOption(name: string): string {
  try {
    if (/^[A-Za-z]/.test(name)) {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
  }
  throw new UsageError(`--zone must be the name of a zone like America/New_York, got "${name}"`);
}
