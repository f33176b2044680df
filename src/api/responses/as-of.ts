/** The parameter `as_of` of bars and quotes: what was served at a past moment. */

import { ParameterError } from '../../base/errors.ts';
import { newYorkDay, newYorkMidnightMs } from '../../base/time/calendar.ts';
import { dayFromDate } from '../../base/time/dates.ts';
import { type PastVersions, pastVersions } from '../../past/past-versions.ts';
import type { BarsSnapshot, ServingReader } from '../../store/arrow/snapshot/snapshot.ts';
import { momentField } from '../http/query-fields.ts';

export const asOfField = momentField
  .describe(
    'What was served then, before later corrections, adjustments and renames: a date-time, or a ' +
      'date for the end of that day in New York.',
  )
  .optional();

export interface AsOf {
  text: string;
  timeMs: number;
  /** Day in New York; undefined for a date-time. */
  day: number | undefined;
}

/** Converts a checked text. */
export function asOfFromText(text: string | undefined): AsOf | undefined {
  if (text === undefined) return undefined;
  if (text.includes('T')) return { text, timeMs: Date.parse(text), day: undefined };
  const day = dayFromDate(text, 'as_of');
  return { text, timeMs: newYorkMidnightMs(day + 1) - 1, day };
}

const pastOfReaders = new WeakMap<ServingReader, PastVersions>();

/**
 * Returns the version that was served then; the newest one without `as_of`.
 *
 * @throws {ParameterError} `as_of`: it lies in the future, or before the versions that are kept.
 */
export function snapshotAsOf(
  reader: ServingReader,
  asOf: AsOf | undefined,
  nowMs: number,
): BarsSnapshot {
  const published = reader.current();
  if (!asOf) return published;
  const past = pastOfReaders.get(reader) ?? pastVersions(reader.folder);
  pastOfReaders.set(reader, past);
  return past.at(timeOfAsOf(asOf, nowMs), published);
}

/** Returns the milliseconds of a moment. @throws {ParameterError} `as_of` lies in the future. */
export function timeOfAsOf({ text, timeMs, day }: AsOf, nowMs: number): number {
  if (day === undefined ? timeMs <= nowMs : day <= newYorkDay(nowMs)) return timeMs;
  throw new ParameterError('as_of', `as_of must not lie in the future, got "${text}"`);
}
