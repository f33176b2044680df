/**
 * Parses a filing of a Financial Statement Data Set. Sets round the last days of periods to the
 * end of the month; the name of the filing's document has the true one of its own period. Pure.
 */

import { validOr } from '../../../base/errors.ts';
import { momentFromNewYorkClock } from '../../../base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../../base/time/dates.ts';
import { CONCEPTS } from './concepts/concepts.ts';
import type { FaceLine, Fact, FactFiling } from './concepts/parse-companyfacts.ts';
import type { FaceSpan } from './face/lines.ts';

export interface SetFiling extends FactFiling {
  readFrom: 'face';
  cik: number;
  /** Moment of acceptance; undefined where the set has none. */
  acceptedMs: number | undefined;
  /** Last day of its own period: as the set rounds it, and the true one. */
  roundedDay: number | undefined;
  periodDay: number | undefined;
  face: FaceLine[];
  /** Amounts per share that one class of stock alone has. */
  ofOneClass: readonly Fact[];
}

/** A filing as `extractSet` writes it. */
export type ExtractedFiling = Partial<Record<string, string | null>>;

/** @returns undefined if its number, company or day cannot be read. */
export function parseSetFiling(row: ExtractedFiling): SetFiling | undefined {
  const { adsh, form } = row;
  const cik = Number(row.cik);
  const filedDay = dayOf(row.filed);
  if (!adsh || !form || !Number.isSafeInteger(cik) || filedDay === undefined) return undefined;
  const roundedDay = dayOf(row.period);
  const numbers = records(row.numbers).flatMap((fields) => {
    const fact = factFrom(fields, adsh);
    return fact ? [{ fact, isOfClass: Boolean(fields[6]) }] : [];
  });
  const year = Number(row.fy ?? Number.NaN);
  return {
    readFrom: 'face',
    cik,
    accession: adsh,
    form,
    filedDay,
    acceptedMs: acceptedMs(row.accepted),
    fiscalYear: Number.isSafeInteger(year) && year > 0 ? year : undefined,
    fiscalPeriod: row.fp ?? undefined,
    roundedDay,
    periodDay: truePeriod(row.instance, roundedDay),
    ...withClasses(numbers),
    face: records(row.lines).map((fields) => lineFrom(fields, adsh)),
  };
}

function records(text: string | null | undefined): string[][] {
  return text ? text.split('\n').map((line) => line.split('\t')) : [];
}

function lineFrom(fields: readonly string[], adsh: string): FaceLine {
  const [statement, report, tag, version, negating, label] = fields;
  return {
    statement: statement as FaceLine['statement'],
    report: Number(report),
    concept: conceptOf(tag, version, adsh),
    label,
    isNegated: negating === '1' || negating === 'true',
  };
}

function factFrom(fields: readonly string[], adsh: string): Fact | undefined {
  const [tag, version, ddate, qtrs, unit, text] = fields;
  const span = spanOf(ddate, qtrs);
  const value = Number(text);
  if (!span || text === '' || !Number.isFinite(value)) return undefined;
  return { concept: conceptOf(tag, version, adsh), unit, ...span, value };
}

/**
 * Takes amounts per share that are given by class of stock: those of several that are equal are
 * those of a share. Others stay unknown, because no set says of which class a ticker is.
 */
function withClasses(
  numbers: readonly { fact: Fact; isOfClass: boolean }[],
): Pick<SetFiling, 'facts' | 'apartByClass' | 'ofOneClass'> {
  const facts = numbers.flatMap(({ fact, isOfClass }) => (isOfClass ? [] : [fact]));
  const ofClass = numbers.flatMap(({ fact, isOfClass }) => (isOfClass ? [fact] : []));
  if (ofClass.length === 0) return { facts, ofOneClass: [] };
  const keyOf = ({ concept, startDay, endDay }: Fact) => `${concept}|${startDay}|${endDay}`;
  const whole = new Set(facts.map(keyOf));
  const apartByClass = new Set<string>();
  const ofOneClass: Fact[] = [];
  for (const [key, given] of Map.groupBy(ofClass, keyOf)) {
    if (whole.has(key)) continue;
    const [first, ...others] = given;
    const isAlike = others.every(({ value }) => value === first.value);
    if (others.length === 0) ofOneClass.push(first);
    else if (isAlike) facts.push(first);
    else apartByClass.add(first.concept);
  }
  return { facts, apartByClass, ofOneClass };
}

/** Bound of a cache: a set has some hundred periods, in millions of numbers. */
const SPANS_KEPT = 20_000;
let spans = new Map<string, FaceSpan | undefined>();

/** @returns undefined if the last day is not a date. */
function spanOf(ddate: string, qtrs: string): FaceSpan | undefined {
  const key = `${ddate} ${qtrs}`;
  if (spans.has(key)) return spans.get(key);
  if (spans.size === SPANS_KEPT) spans = new Map();
  const endDay = dayOf(ddate);
  const startDay =
    endDay === undefined || qtrs === '0' ? undefined : startOf(endDay, 3 * Number(qtrs));
  const span = endDay === undefined ? undefined : { startDay, endDay };
  spans.set(key, span);
  return span;
}

/**
 * Taxonomies of sets, under the names of company facts; a filer's own is `own`. Filers may not name a
 * concept as their taxonomy does: one with the name of a standard concept is that of a later taxonomy.
 */
function conceptOf(tag: string, version: string, adsh: string): string {
  const standard = `us-gaap:${tag}`;
  if (version === adsh) return CONCEPTS.has(standard) ? standard : `own:${tag}`;
  const taxonomy = version.slice(0, version.indexOf('/'));
  return `${taxonomy === 'ifrs' ? 'ifrs-full' : taxonomy || 'own'}:${tag}`;
}

/** First day of a period that ends in a month, in whole months. */
function startOf(endDay: number, months: number): number {
  const [year, month] = dateFromDay(endDay).split('-').map(Number);
  const start = new Date(Date.UTC(year, month - months, 1)).toISOString();
  return dayFromDate(start.slice(0, 10));
}

/** Largest distance in days between a day and the end of the month that it is rounded to. */
const ROUNDED_DAYS = 16;

function truePeriod(
  instance: string | null | undefined,
  roundedDay: number | undefined,
): number | undefined {
  const written = dayOf(/(?:^|\D)((?:19|20)\d{6})(?:\D|$)/.exec(instance ?? '')?.[1]);
  if (written === undefined || roundedDay === undefined) return roundedDay;
  return Math.abs(written - roundedDay) <= ROUNDED_DAYS ? written : roundedDay;
}

/** @returns the day of `20250331`; undefined for another text. */
function dayOf(text: string | null | undefined): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(?:\.0)?$/.exec(text ?? '');
  if (!parts) return undefined;
  return validOr(() => dayFromDate(parts.slice(1, 4).join('-')), undefined);
}

/** Reads a time in New York, `2010-05-07 13:14:00.0`. */
function acceptedMs(text: string | null | undefined): number | undefined {
  const time = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)/.exec(text ?? '');
  if (!time) return undefined;
  const clockMs = Date.parse(`${time[1]}T${time[2]}Z`);
  return Number.isNaN(clockMs) ? undefined : momentFromNewYorkClock(clockMs);
}
