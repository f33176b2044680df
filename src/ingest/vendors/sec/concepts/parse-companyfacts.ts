/**
 * Parses the SEC's `companyfacts` and regroups the facts by filing, because a filing becomes known
 * at one moment. Facts with dimensions are left out by the SEC. Pure.
 */

import { MalformedInputError, validOr } from '../../../../base/errors.ts';
import { dayFromDate } from '../../../../base/time/dates.ts';
import { CONCEPTS } from './concepts.ts';

export interface Fact {
  /** Concept with its taxonomy: `us-gaap:Assets`. */
  concept: string;
  /** ISO 4217, `USD/shares` or `shares`. */
  unit: string;
  /** First day of a fact that covers a period; undefined for a fact at the end of a day. */
  startDay: number | undefined;
  endDay: number;
  value: number;
}

/** A line of a statement, in its order. Lines without values are not there. */
export interface FaceLine {
  statement: 'IS' | 'BS' | 'CF' | 'CI';
  /** Table of the filing that has the line. */
  report: number;
  concept: string;
  label: string;
  /** True if the statement shows the number with the other sign. */
  isNegated: boolean;
}

export interface FactFiling {
  accession: string;
  form: string;
  filedDay: number;
  /** Fiscal year and period (`FY`, `Q1` …) that the filing states for itself. */
  fiscalYear: number | undefined;
  fiscalPeriod: string | undefined;
  facts: Fact[];
  /** Concepts whose amounts differ by class of stock, and that have no amount of a share. */
  apartByClass?: ReadonlySet<string>;
  /** Lines of its statements, if they are known. */
  face?: readonly FaceLine[];
}

export interface CompanyFacts {
  cik: number;
  companyName: string;
  filings: FactFiling[];
  /** Number of facts in reports whose concepts are read, refused ones included. */
  factCount: number;
  /** Number of refused facts by reason. */
  faults: Map<string, number>;
}

/** Pattern of the forms of reports with statements. Proxies and registrations repeat figures. */
export const REPORT_FORMS = '(10-K|10-KT|10-Q|10-QT|10-S|20-F|40-F|6-K|8-K)(/A)?';
const REPORT_FORM = new RegExp(`^${REPORT_FORMS}$`);
const ACCESSION = /^\d{10}-\d{2}-\d{6}$/;

export type Json = Record<string, unknown>;

export function isCompanyFacts(json: unknown): json is Json {
  return isObject(json) && isObject(json.facts) && 'cik' in json;
}

/** @throws {MalformedInputError} a part has the wrong shape; names the part. */
export function parseCompanyFacts(json: unknown): CompanyFacts {
  if (!isCompanyFacts(json)) throw new MalformedInputError('it has no "facts" of a "cik"');
  const parsed: CompanyFacts = {
    cik: cikFrom(json.cik),
    companyName: typeof json.entityName === 'string' ? json.entityName.trim() : '',
    filings: [],
    factCount: 0,
    faults: new Map(),
  };
  const filings = new Map<string, FactFiling>();
  for (const [taxonomy, concepts] of Object.entries(json.facts as Json)) {
    if (!isObject(concepts)) throw new MalformedInputError(`facts.${taxonomy} is not an object`);
    for (const [name, concept] of Object.entries(concepts)) {
      const title = `${taxonomy}:${name}`;
      if (CONCEPTS.has(title)) addConcept(title, concept, filings, parsed);
    }
  }
  parsed.filings = [...filings.values()];
  return parsed;
}

/** @throws {MalformedInputError} the value is neither a number nor its digits. */
export function cikFrom(value: unknown): number {
  const cik = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof cik === 'number' && Number.isSafeInteger(cik) && cik > 0) return cik;
  throw new MalformedInputError(`cik must be a positive integer, got ${JSON.stringify(value)}`);
}

function addConcept(
  concept: string,
  body: unknown,
  filings: Map<string, FactFiling>,
  parsed: CompanyFacts,
): void {
  const units = isObject(body) ? body.units : undefined;
  if (!isObject(units)) {
    refuse(parsed, `${concept} has no units`);
    return;
  }
  for (const [unit, facts] of Object.entries(units)) {
    if (!Array.isArray(facts)) {
      refuse(parsed, `${concept} has a unit without a list`);
      continue;
    }
    for (const raw of facts) {
      if (isObject(raw) && typeof raw.form === 'string' && !REPORT_FORM.test(raw.form)) continue;
      const fault = addFact(concept, unit, raw, filings);
      if (fault === undefined) parsed.factCount++;
      else refuse(parsed, fault);
    }
  }
}

/** @returns the reason to refuse the fact; undefined for a good one. */
function addFact(
  concept: string,
  unit: string,
  raw: unknown,
  filings: Map<string, FactFiling>,
): string | undefined {
  if (!isObject(raw)) return 'a fact is not an object';
  const { form, accn, val, start, end, filed } = raw;
  if (typeof form !== 'string') return 'form is not a text';
  if (typeof val !== 'number' || !Number.isFinite(val)) return 'val is not a number';
  if (typeof accn !== 'string' || !ACCESSION.test(accn)) return 'accn is not a filing’s number';
  const endDay = dayOf(end);
  const filedDay = dayOf(filed);
  if (endDay === undefined || filedDay === undefined) return 'end or filed is not a date';
  const startDay = start === undefined ? undefined : dayOf(start);
  const isLater = startDay === undefined || startDay > endDay;
  if (start !== undefined && isLater) return 'start is not a date up to end';
  let filing = filings.get(accn);
  if (!filing) {
    const fiscalYear = Number.isSafeInteger(raw.fy) ? (raw.fy as number) : undefined;
    const fiscalPeriod = typeof raw.fp === 'string' ? raw.fp : undefined;
    filing = { accession: accn, form, filedDay, fiscalYear, fiscalPeriod, facts: [] };
    filings.set(accn, filing);
  }
  filing.facts.push({ concept, unit, startDay, endDay, value: val });
  return undefined;
}

function refuse(parsed: CompanyFacts, reason: string): void {
  parsed.factCount++;
  parsed.faults.set(reason, (parsed.faults.get(reason) ?? 0) + 1);
}

/**
 * Bound of a cache: the same few hundred dates occur in every concept; reading one costs 0.3 µs.
 */
const DAYS_KEPT = 20_000;
let days = new Map<string, number | undefined>();

/** @returns undefined if the value is not a date. */
export function dayOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (days.has(value)) return days.get(value);
  if (days.size === DAYS_KEPT) days = new Map();
  const day = validOr(() => dayFromDate(value), undefined);
  days.set(value, day);
  return day;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
