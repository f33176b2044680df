/** Rules that all paths of Massive's protocol share: parameters, moments, envelopes, next pages. */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { ParameterError } from '../../base/errors.ts';
import {
  isSession,
  newYorkDay,
  newYorkMidnightMs,
  sessionOpenMs,
} from '../../base/time/calendar.ts';
import { dateFromDay, dayFromDate, weekdayFromDay } from '../../base/time/dates.ts';
import { type Interval, isDailyInterval, type SessionChoice } from '../../base/time/intervals.ts';
import { barStartMs } from '../../base/time/trading-sessions.ts';
import { periodDays } from '../../compute/bars/resample-daily.ts';
import { type CallRoute, jsonOf, type RouteValues } from '../contract/adapter.ts';
import { originOf } from '../http/error-response.ts';
import type { AdmittedContext, RequestContext } from '../http/request-context.ts';
import { type ApiResponse, jsonResponse } from '../http/response.ts';

export type Parameters = Readonly<Record<string, string | undefined>>;

/** Responds to a path of the protocol, by calls of the API. */
export type Read = (
  context: AdmittedContext,
  parameters: Parameters,
  call: CallRoute,
) => Promise<ApiResponse>;

/** @throws {ParameterError} A parameter is not in `known`: ignoring a filter would give wrong rows. */
export function checkNames(parameters: Parameters, known: readonly string[]): void {
  const name = Object.keys(parameters).find((one) => !known.includes(one));
  if (name === undefined) return;
  throw new ParameterError(name, `${name} is not supported here; known: ${known.join(', ')}`);
}

export function chosen<T extends string>(
  parameters: Parameters,
  name: string,
  choices: readonly T[],
  preset: T,
): T {
  const value = parameters[name] ?? preset;
  const found = choices.find((choice) => choice === value);
  if (found) return found;
  throw new ParameterError(name, `${name} must be one of ${choices.join(', ')}, got "${value}"`);
}

export function integer(
  parameters: Parameters,
  name: string,
  preset: number,
  [min, max]: readonly [number, number],
): number {
  const text = parameters[name];
  if (text === undefined) return preset;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new ParameterError(name, `${name} must be an integer from ${min} to ${max}, got "${text}"`);
}

/** Reads `limit`. Clients send more than the most to get all; they follow the pages. */
export function limitFrom(parameters: Parameters, preset: number, max: number): number {
  const value = integer(parameters, 'limit', preset, [1, Number.MAX_SAFE_INTEGER]);
  return Math.min(value, max);
}

/** Reads a truth value; clients in Python send `True`. */
export function flag<T extends boolean | undefined>(
  parameters: Parameters,
  name: string,
  preset: T,
): boolean | T {
  const text = parameters[name]?.toLowerCase();
  if (text === undefined) return preset;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new ParameterError(name, `${name} must be true or false, got "${parameters[name]}"`);
}

/** Endings of parameters that bound a text, such as a ticker or a date. */
export const COMPARISONS: Readonly<Record<string, (value: string, bound: string) => boolean>> = {
  '': (value, bound) => value === bound,
  '.gt': (value, bound) => value > bound,
  '.gte': (value, bound) => value >= bound,
  '.lt': (value, bound) => value < bound,
  '.lte': (value, bound) => value <= bound,
};

/** Price basis of a response. */
export interface Basis {
  /** True unless the client requested prices as traded. */
  adjusted: boolean;
  /** Value for the routes: by default, they undo splits where the stored bars allow it. */
  adjustment: 'raw' | undefined;
}

/** Reads `adjusted`, which is true by default. */
export function basisFrom(parameters: Parameters): Basis {
  const adjusted = flag(parameters, 'adjusted', true);
  return { adjusted, adjustment: adjusted ? undefined : 'raw' };
}

/** Returns a field that names the basis of prices, if it is another one than requested. */
export function otherBasis({ adjusted }: Basis, found: string | undefined) {
  return !adjusted || found === undefined || found === 'split' ? {} : { adjustment: found };
}

/** Reads the series of one ticker. @returns Its JSON, and its basis as `otherBasis` names it. */
export async function technical(call: CallRoute, basis: Basis, values: RouteValues) {
  const response = await call.response('getTechnical', {
    ...values,
    adjustment: basis.adjustment,
  });
  const found = response.headers[response.headers.indexOf('X-SVC-Adjustment') + 1];
  return { ...jsonOf(response), other: otherBasis(basis, found) };
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const MILLIS = /^-?\d{1,15}$/;

/**
 * Reads a date of New York, which means its whole day, or milliseconds since 1970.
 *
 * @returns its first and last millisecond.
 */
export function spanFrom(text: string, name: string): readonly [number, number] {
  if (MILLIS.test(text)) return [Number(text), Number(text)];
  if (!DATE.test(text)) {
    const rule = 'must be a date like 2026-01-31 or milliseconds since 1970';
    throw new ParameterError(name, `${name} ${rule}, got "${text}"`);
  }
  const day = dayFromDate(text, name);
  return [newYorkMidnightMs(day), newYorkMidnightMs(day + 1) - 1];
}

/** Writes a moment as the API reads it: bars of whole days have dates. */
export function momentText(ms: number, interval: Interval): string {
  return isDailyInterval(interval) ? dateFromDay(newYorkDay(ms)) : new Date(ms).toISOString();
}

/**
 * Returns the moment that finds all bars of a window, also the one that contains its start: a week
 * that began before `from`, or an hour.
 *
 * @param text A date of New York, or milliseconds since 1970.
 */
export function firstMoment(
  text: string,
  interval: Interval,
  session: SessionChoice = 'regular',
): string {
  const [ms] = spanFrom(text, 'from');
  const day = newYorkDay(ms);
  if (interval === '1w' || interval === '1M') {
    // Massive's weeks begin on Sunday, ours on the Monday after it.
    const isSunday = weekdayFromDay(day) === 0;
    return dateFromDay(interval === '1w' && isSunday ? day + 1 : periodDays(day, interval)[0]);
  }
  if (interval === '1d') return momentText(ms, interval);
  const stepMs = BAR_MS[interval];
  if (session !== 'regular') return momentText(barStartMs(ms, stepMs), interval);
  if (!isSession(day)) return momentText(ms, interval);
  const sinceOpenMs = ms - sessionOpenMs(day);
  // Bars before the open begin at other moments; only minutes have some.
  const isWidened = sinceOpenMs > 0 || interval === '1m';
  return momentText(isWidened ? ms - (sinceOpenMs - floored(sinceOpenMs, stepMs)) : ms, interval);
}

function floored(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

/** Converts the API's timestamp of a bar: a day begins at midnight in New York. */
export function barMillis(timestamp: string, interval: Interval): number {
  const ms = Date.parse(timestamp);
  return isDailyInterval(interval) ? newYorkMidnightMs(Math.round(ms / MILLIS_PER_DAY)) : ms;
}

const MINUTE_MS = 60_000;

const BAR_MS = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '4h': 240 * MINUTE_MS,
};

/** Lengths of bars as `multiplier timespan`. */
const INTERVALS: Readonly<Record<string, Interval>> = {
  '1 minute': '1m',
  '5 minute': '5m',
  '15 minute': '15m',
  '1 hour': '1h',
  '4 hour': '4h',
  '1 day': '1d',
  '1 week': '1w',
  '1 month': '1M',
};

/** @throws {ParameterError} The API has no bars of the length. */
export function intervalFrom(multiplier: string, timespan: string): Interval {
  const interval = INTERVALS[`${Number(multiplier)} ${timespan}`];
  if (interval) return interval;
  const known = Object.keys(INTERVALS).join(', ');
  throw new ParameterError(
    'timespan',
    `Bars must be one of ${known}, got "${multiplier} ${timespan}"`,
  );
}

/** Returns the address of the next page on the host of the request. */
export function nextUrl({ headers }: RequestContext, path: string, parameters: Parameters): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return `${originOf(headers)}${path}?${new URLSearchParams(given as [string, string][])}`;
}

export function success(context: RequestContext, fields: Record<string, unknown>): ApiResponse {
  return jsonResponse(200, { ...fields, status: 'OK', request_id: context.requestId });
}

/** Paths below the roots of Massive's API; `/v1/svc` and the description of the API are ours. */
const MASSIVE_PATH =
  /^\/(?:v1(?!\/svc(?:[/?#]|$)|\/openapi\.json(?:[?#]|$))|v2|v3|vX|stocks\/v1)(?:[/?#]|$)/;

/** Returns true for a path whose errors must have Massive's form, known or not. */
export function isMassivePath(target: string): boolean {
  return MASSIVE_PATH.test(target);
}

/** Writes an error as Massive does. */
export function failed(status: number, message: string, context: RequestContext): ApiResponse {
  const word = status === 404 ? 'NOT_FOUND' : status === 403 ? 'NOT_AUTHORIZED' : 'ERROR';
  const text = word === 'ERROR' ? { error: message } : { message };
  return jsonResponse(status, { status: word, request_id: context.requestId, ...text }, [
    'Cache-Control',
    'no-store',
  ]);
}
