/** Reads on which days the served daily bars of a symbol are. */

import { CorruptDataError } from '../../../base/errors.ts';
import { daysOfTimestamps } from '../../../base/time/dates.ts';
import type { PublishedVersion } from './published-version.ts';
import { openPublished } from './reader.ts';

/**
 * Opens a serving folder when the first symbol is asked for, which may be a former ticker.
 * @returns days in rising order; undefined for a symbol without bars, and if nothing can be read.
 */
export function servedDaysOf(folder: string): (symbol: string) => Int32Array | undefined {
  let opened: { version: PublishedVersion | undefined } | undefined;
  return (symbol) => {
    try {
      opened ??= { version: openPublished(folder) };
      const { version } = opened;
      const name = version?.resolve(symbol);
      if (name === undefined || version?.symbol(name) === undefined) return undefined;
      return daysOfTimestamps(version.bars(name, '1d').timestampUs);
    } catch (error) {
      // Replaced meanwhile, or damaged: its publisher and its readers handle that.
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (isGone || error instanceof CorruptDataError) return undefined;
      throw error;
    }
  };
}
