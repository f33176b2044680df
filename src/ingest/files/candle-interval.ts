/** Decides the interval of a file's bars, and the time zone of their stamps. */

import type { BaseInterval, StoredIntraday } from '../../base/time/intervals.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { STEP_SECONDS } from '../segments/row-rules.ts';
import type { CandleDialect } from './dialect.ts';
import type { Reading } from './reading.ts';
import { READ_INTERVALS } from './settle-days.ts';
import type { StampSurvey } from './survey-stamps.ts';

export interface IntradayStamps {
  interval: StoredIntraday;
  /** IANA name of the zone of stamps without an offset. */
  zone: string;
  isAtEnd: boolean;
}

export type FileTiming = '1d' | IntradayStamps | { reason: string };

/** @param sourceZone Time zone of the source's clocks, if known. */
export function timingOfFile(
  {
    statedInterval,
    hasTimes,
    reading = {},
  }: Pick<CandleDialect, 'statedInterval' | 'hasTimes'> & { reading?: Reading },
  survey: StampSurvey | undefined,
  options: Pick<SourceOptions, 'interval' | 'zone' | 'stamps'>,
  sourceZone: string | undefined,
): FileTiming {
  const { interval: asked } = options;
  if (!hasTimes) return timingOfDates(asked);
  if (survey === undefined) return { reason: 'none of its dates has a time of day' };
  const found = statedInterval ?? intervalFromSurvey(survey, asked);
  if (typeof found !== 'string') return found;
  if (asked !== undefined && asked !== found) {
    return { reason: `it holds bars of ${found}, and --interval says ${asked}` };
  }
  if (found === '1d') return found;
  const statedZone = reading.zone?.value as string | undefined;
  const zone = options.zone ?? statedZone ?? sourceZone ?? zoneFromSurvey(survey);
  if (typeof zone !== 'string') return zone;
  return { interval: found, zone, isAtEnd: options.stamps === 'end' };
}

function timingOfDates(asked: BaseInterval | undefined): FileTiming {
  if (asked === undefined || asked === '1d') return '1d';
  return { reason: `its dates have no times of day, and --interval says ${asked}` };
}

/** Derives the interval from the stamps. `asked` settles cases that the stamps leave open. */
function intervalFromSurvey(
  survey: StampSurvey,
  asked: BaseInterval | undefined,
): BaseInterval | { reason: string } {
  if (!survey.hasSeveralADay) {
    if (asked !== undefined) return asked;
    if (survey.hasSeveralDays || survey.isAtMidnight) return '1d';
    return {
      reason: 'it holds one bar a symbol: say whether it is of a day or a minute with --interval',
    };
  }
  if (survey.wholeMinutes * 2 < survey.stamps) {
    return { reason: `most of its stamps are on no whole minute, and ${READ_INTERVALS}` };
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

/** Returns true if stamps lie as far apart as bars of the least distance do, gaps allowed. */
function isRegular({ steps, leastSteps, multipleSteps }: StampSurvey): boolean {
  return leastSteps * 2 > steps || multipleSteps === steps;
}

function stepText(seconds: number): string {
  const minutes = seconds / 60;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

/** The zone that puts more bars into New York's sessions, unless those look shifted. */
function zoneFromSurvey(survey: StampSurvey): string | { reason: string } {
  const { naive, inSessionNewYork, inSessionUtc } = survey;
  const best = Math.max(inSessionNewYork, inSessionUtc);
  if (best * 2 < naive && hasWholeExtendedHours(survey)) return 'America/New_York';
  if (best * 2 < naive) {
    return {
      reason:
        'its stamps have no zone, and read as of New York or UTC less than half of them are in sessions: say which with --zone',
    };
  }
  if (inSessionNewYork === inSessionUtc && naive > 0) {
    return {
      reason:
        'its stamps have no zone, and could be of New York as well as UTC: say which with --zone',
    };
  }
  const zone = inSessionNewYork > inSessionUtc ? 'America/New_York' : 'UTC';
  const shifted = zone === 'UTC' ? survey.shiftedUtc : survey.shiftedNewYork;
  if (shifted > 0 && shifted * 2 >= survey.sessions) {
    return {
      reason: `its stamps have no zone, and read as of ${zone} they begin and end too late or too early for its sessions: say which with --zone`,
    };
  }
  return zone;
}

/** Returns true for whole extended hours, 04:00 to 20:00. Regular hours are under half of them. */
function hasWholeExtendedHours(survey: StampSurvey): boolean {
  const { naive, inExtendedNewYork, wholeExtendedNewYork, sessions } = survey;
  const isWithin = inExtendedNewYork >= naive * EXTENDED_SHARE_MIN;
  return isWithin && sessions > 0 && wholeExtendedNewYork * 2 >= sessions;
}

const EXTENDED_SHARE_MIN = 0.99;
