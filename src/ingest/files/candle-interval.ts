/** Decides the interval of a file's bars, and the time zone of their stamps. */

import { countText } from '../../base/count-text.ts';
import type { BaseInterval, StoredIntraday } from '../../base/time/intervals.ts';
import { type Answer, type Reading, settle } from '../contract/reading.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { STEP_SECONDS } from '../segments/row-rules.ts';
import { clockOfZone } from '../timing/clock-of-zone.ts';
import { betterFact } from '../timing/clock-words.ts';
import { isProven } from '../timing/session-edges.ts';
import {
  barsBetween,
  betterClock,
  type ClockOf,
  HALVES_PER_DAY,
  NEW_YORK_CLOCK,
  UTC_CLOCK,
} from '../timing/session-profile.ts';
import { READ_INTERVALS } from '../timing/settle-days.ts';
import { stampSide } from '../timing/stamp-side.ts';
import type { CandleDialect } from './dialect.ts';
import type { StampSurvey } from './survey-stamps.ts';

export interface IntradayStamps {
  interval: StoredIntraday;
  /** IANA name of the zone of stamps without an offset. */
  zone: string;
  isAtEnd: boolean;
  reading: Pick<Reading, 'zone' | 'stamps'>;
}

export type FileTiming = '1d' | IntradayStamps | { reason: string };

/** @param sourceZone Time zone of the source's clocks, if known. */
export function timingOfFile(
  {
    statedInterval,
    hasTimes,
    day,
    reading = {},
    zoneColumn,
  }: Pick<CandleDialect, 'statedInterval' | 'hasTimes' | 'zoneColumn'> &
    Partial<Pick<CandleDialect, 'day' | 'reading'>>,
  survey: StampSurvey | undefined,
  options: Pick<SourceOptions, 'interval' | 'zone' | 'stamps'>,
  sourceZone: string | undefined,
): FileTiming {
  const { interval: asked } = options;
  if (!hasTimes) return timingOfDates(asked);
  if (survey === undefined) return { reason: 'none of its dates has a time of day' };
  const found = statedInterval ?? intervalFromSurvey(survey, asked, day !== undefined);
  if (typeof found !== 'string') return found;
  if (asked !== undefined && asked !== found) {
    return { reason: `it holds bars of ${found}, and --interval says ${asked}` };
  }
  if (found === '1d') return found;
  const shown = zoneOfStamps(survey, options, reading.zone ?? zoneOfVendor(sourceZone));
  const isOpen = 'reason' in shown && options.zone === undefined && reading.zone === undefined;
  // A table may have the zone of the exchange in a column, and times in UTC.
  const zone = isOpen && zoneColumn ? zoneOfStamps(survey, options, zoneColumn) : shown;
  if ('reason' in zone) return zone;
  const side =
    options.stamps === undefined
      ? settleSide(survey, zone.value, reading.stamps)
      : { value: options.stamps === 'end', words: '', facts: [] };
  if ('reason' in side) return side;
  return {
    interval: found,
    zone: zone.value,
    isAtEnd: side.value,
    reading: { zone, stamps: side },
  };
}

function zoneOfVendor(zone: string | undefined): Answer<string> | undefined {
  return zone === undefined
    ? undefined
    : { value: zone, words: zone, facts: ['its vendor writes this zone'] };
}

/** Answer for a file whose stamps all state their zone: its value is used for naive ones alone. */
const ZONE_OF_STAMPS: Answer<string> = {
  value: 'America/New_York',
  words: 'times of the zone that each stamp states',
  facts: [],
};

/** @param stated Zone that the file or its vendor states. */
function zoneOfStamps(
  survey: StampSurvey,
  { zone, stamps }: Pick<SourceOptions, 'zone' | 'stamps'>,
  stated: Answer | undefined,
): Answer<string> | { reason: string } {
  const fault = zone === 'UTC' ? undefined : faultOfOffsets(survey);
  if (fault !== undefined) return { reason: fault };
  if (zone === undefined && survey.naive === 0) return ZONE_OF_STAMPS;
  if (zone === undefined && stated === undefined) return settleZone(survey, stamps === 'end');
  const answer =
    zone === undefined
      ? (stated as Answer<string>)
      : { value: zone, words: zone, facts: [`--zone says ${zone}`] };
  return faultOfStatedZone(survey, answer) ?? answer;
}

/** Reason why naive stamps are not of the zone that the user or the file states: their profile. */
function faultOfStatedZone(
  { profile }: StampSurvey,
  { value, facts: [fact] }: Answer<string>,
): { reason: string } | undefined {
  const clock = clockOfZone(value);
  const clocks = ZONES.map((other) => other.clock);
  const better = clock && betterClock(profile, clock, clocks);
  if (better === undefined) return undefined;
  const remedy =
    'say the zone of all rows with --zone, put rows of other zones into files of their own, or write each time with its offset';
  return { reason: `${fact}, but ${betterFact(better)}: ${remedy}` };
}

function timingOfDates(asked: BaseInterval | undefined): FileTiming {
  if (asked === undefined || asked === '1d') return '1d';
  return { reason: `its dates have no times of day, and --interval says ${asked}` };
}

/** Derives the interval from the stamps. `asked` settles cases that the stamps leave open. */
function intervalFromSurvey(
  survey: StampSurvey,
  asked: BaseInterval | undefined,
  hasDay: boolean,
): BaseInterval | { reason: string } {
  if (!survey.hasSeveralADay) {
    if (asked !== undefined) return asked;
    const isDaily = survey.hasSeveralDays && (hasDay || isOfOneTime(survey));
    if (isDaily || survey.isAtMidnight) return '1d';
    const bars = survey.hasSeveralDays ? 'a day, at many times of day' : 'a symbol';
    return {
      reason: `it holds one bar ${bars}: say whether it is of a day or a minute with --interval`,
    };
  }
  // Half of the bars of 30 seconds begin on a whole minute. Each has only a part of its volume.
  const odd = survey.stamps - survey.wholeMinutes;
  if (odd * 3 >= survey.stamps) {
    const count = `${countText(odd)} of its ${countText(survey.stamps)} stamps`;
    return { reason: `${count} are on no whole minute, and ${READ_INTERVALS}` };
  }
  const { stepS } = survey;
  if (stepS === undefined) {
    return { reason: 'it holds bars less than a minute apart, and a minute is the least read' };
  }
  if (asked !== undefined && asked !== '1d') {
    const mayHaveGaps = stepS > STEP_SECONDS[asked] && !isRegular(survey);
    if (stepS === STEP_SECONDS[asked] || mayHaveGaps) return asked;
    return { reason: `it holds bars of ${stepText(stepS)}, and --interval says ${asked}` };
  }
  if (stepS === STEP_SECONDS['1m']) return '1m';
  if (stepS === STEP_SECONDS['5m']) return '5m';
  const gaps = '; if these are bars of 1m or 5m with gaps, say so with --interval';
  return {
    reason: `it holds bars of ${stepText(stepS)}, and ${READ_INTERVALS}${isRegular(survey) ? '' : gaps}`,
  };
}

/**
 * Returns true if bars of days have one time of day, give or take hours of clock changes and early
 * closes. The last one may be of the running day.
 */
function isOfOneTime({ hourPlaces, hourPlacesButLast, oddTimes, stamps }: StampSurvey): boolean {
  if (oddTimes * STAMPS_PER_ODD_TIME > stamps) return false;
  return hourPlaces === 1 || (hourPlacesButLast === 1 && stamps >= 4);
}

/** Daily bars have other times at early closes, and where other zones change their clocks. */
const STAMPS_PER_ODD_TIME = 4;

/** Returns true if stamps lie as far apart as bars of the least distance do, gaps allowed. */
function isRegular({ steps, leastSteps, multipleSteps }: StampSurvey): boolean {
  return leastSteps * 2 > steps || multipleSteps === steps;
}

function stepText(seconds: number): string {
  const minutes = seconds / 60;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

/** Zones that stamps without one may be of: those that vendors of US bars write. */
const ZONES = [
  { zone: 'America/New_York', words: 'New York time', clock: NEW_YORK_CLOCK },
  { zone: 'UTC', words: 'UTC', clock: UTC_CLOCK },
] as const;

/** Settles New York or UTC by the edges of the sessions; one that they don't show is no answer. */
function settleZone(survey: StampSurvey, isAtEnd: boolean): Answer<string> | { reason: string } {
  const candidates = ZONES.map(({ zone, words, clock }, index) => {
    const better = betterClock(survey.profile, clock, [ZONES[1 - index].clock]);
    const fact = better === undefined ? factOfZone(survey, zone, clock, isAtEnd) : undefined;
    const isOpen = survey.naive > 0 && fact === undefined;
    return {
      value: zone,
      words,
      facts: fact === undefined ? [] : [fact],
      contradictions: better ? [betterFact(better)] : isOpen ? [whyUnproven(survey, clock)] : [],
    };
  });
  return settle<string>({
    aspect: 'zone',
    candidates,
    remedy: 'its stamps have no zone, so say which with --zone',
  });
}

function factOfZone(
  survey: StampSurvey,
  zone: string,
  clock: ClockOf,
  isAtEnd: boolean,
): string | undefined {
  if (isProven(survey.profile, clock))
    return 'its bars set in at the opens of sessions or cease at their closes';
  if (zone !== 'UTC' && hasWholeExtendedHours(survey, isAtEnd))
    return 'its bars are from 04:00 to 20:00';
  return undefined;
}

function whyUnproven({ naive, profile }: StampSurvey, clock: ClockOf): string {
  const inSession = profile.sessions.reduce((sum, session) => {
    const offset = clock(session);
    return sum + barsBetween(profile, session.open + offset, session.close + offset);
  }, 0);
  if (inSession * 2 < naive) return 'less than half of its bars are then in sessions';
  return 'its bars are too few or too even to show opens and closes of sessions';
}

/** Reason why stamps with an offset are not in sessions, although their volume is of sessions. */
function faultOfOffsets({ offsetProfile }: StampSurvey): string | undefined {
  const better = betterClock(offsetProfile, UTC_CLOCK, [NEW_YORK_CLOCK], true);
  if (better === undefined) return undefined;
  return `its stamps say their zone, but ${betterFact(better)}: if they are right, repeat with --zone UTC`;
}

/** @param stated Answer of columns or of the form of the file. */
function settleSide(
  survey: StampSurvey,
  zone: string,
  stated: Answer | undefined,
): Answer<boolean> | { reason: string } {
  const isOffset = survey.naive * 2 < survey.stamps;
  const clock = isOffset ? UTC_CLOCK : clockOfZone(zone);
  const profile = isOffset ? survey.offsetProfile : survey.profile;
  const found = clock && stampSide(profile, clock);
  const byForm = stated?.facts ?? [];
  const { side = 'unclear', opens = 0, closes = 0, sessions = 0 } = found ?? {};
  const fact = `${closes} of ${sessions} sessions have a bar at the close, and ${opens} at the open`;
  const isOpen = side === 'unclear' && stated === undefined;
  const facts = isOpen ? [fact] : [];
  return settle<boolean>({
    aspect: 'stamps',
    candidates: [
      {
        value: false,
        words: 'stamps at the start of a bar',
        facts: [...byForm, ...facts],
        contradictions: side === 'end' ? [fact] : [],
      },
      {
        value: true,
        words: 'stamps at the end of a bar',
        facts,
        contradictions: side === 'start' ? [fact] : [],
      },
    ],
    remedy: 'say which with --stamps start|end',
  });
}

/** Half hours of a date in which extended hours begin and end. */
const EXTENDED = { first: 8, last: 39 } as const;
const EXTENDED_SHARE_MIN = 0.99;

/** Returns true for whole extended hours, 04:00 to 20:00. Regular hours are under half of them. */
function hasWholeExtendedHours({ naive, profile }: StampSurvey, isAtEnd: boolean): boolean {
  const days = profile.sessions
    .map(({ day }) => day * HALVES_PER_DAY)
    .filter((from) => barsBetween(profile, from, from + HALVES_PER_DAY) > 0);
  const bars = (half: number) => barsBetween(profile, half, half + 1, isAtEnd);
  const within = days.reduce((sum, from) => {
    const [first, last] = [from + EXTENDED.first, from + EXTENDED.last];
    return sum + barsBetween(profile, first, last + 1, isAtEnd);
  }, 0);
  const isWhole = (from: number) =>
    bars(from + EXTENDED.first) > 0 && bars(from + EXTENDED.last) > 0;
  const whole = days.filter(isWhole).length;
  return within >= naive * EXTENDED_SHARE_MIN && days.length > 0 && whole * 2 >= days.length;
}
