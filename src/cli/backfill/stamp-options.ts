/** Options of `backfill` for the stamps of local files. */

import { type Command, Option } from 'commander';
import { UsageError } from '../../base/errors.ts';
import { BASE_INTERVALS } from '../../ingest/contract/source-options.ts';

export function withStampOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--interval <interval>',
        'interval of the bars, if their times do not show it',
      ).choices(BASE_INTERVALS),
    )
    .option(
      '--zone <name>',
      'time zone of times without one: America/New_York, UTC, …',
      zoneFromOption,
    )
    .addOption(
      new Option(
        '--stamps <end>',
        'times mark the start or the end of a bar (default: start)',
      ).choices(['start', 'end']),
    );
}

/** Checks the name of a zone. Offsets are refused: they have no daylight saving time. */
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
