/** Versions of a period's row: each filing that changes the row adds one. Pure. */

import {
  type Evidence,
  evidenceOf,
  type FigureEvidence,
} from '../../../../base/datasets/evidence.ts';

export interface DatedFiling {
  accession: string;
  form: string;
  filedAtMs: number;
  /** Set if its figures are from the statement itself, not from company facts. */
  readFrom?: 'face';
}

export interface VersionHead {
  filedAt: number;
  form: string;
  accession: string;
  currency: string;
  readFrom: 'face' | null;
  evidence: string | null;
}

export type Version<F extends string> = VersionHead & Record<F, number | null>;

/** Fiscal year and quarter of a row; null if no filing tells. */
export interface PeriodLabel {
  fiscalYear: number | null;
  fiscalQuarter: number | null;
}

export const NO_PERIOD: PeriodLabel = { fiscalYear: null, fiscalQuarter: null };

/** A label, from the filing on that changes it. */
export interface Dated<L> {
  filing: DatedFiling;
  label: L;
}

export type VersionsOf<F extends string> = Map<string, Version<F>[]>;

interface Told<F extends string> {
  currency: string;
  figures: Record<F, number | null>;
  evidence?: Evidence;
}

function textOf(evidence: Evidence): string | null {
  const text = JSON.stringify(evidence);
  return text === '{}' ? null : text;
}

/**
 * Adds a filing's figures of a period. A missing figure is carried forward from the version
 * before, unless that has another currency. A filing without changes adds no version.
 * @param apart Figures that share one basis, and are not carried forward with others.
 */
export function addVersion<F extends string>(
  versions: VersionsOf<F>,
  key: string,
  filing: DatedFiling,
  { currency, figures, evidence = {} }: Told<F>,
  apart?: (before: Record<F, number | null>) => readonly F[],
): void {
  const list = versions.get(key);
  const last = list?.at(-1);
  const fields = Object.keys(figures) as F[];
  const isCarried = last?.currency === currency && !isRescaled(last, figures);
  const merged = { ...figures };
  const merging: Record<string, FigureEvidence | undefined> = { ...(evidence as object) };
  if (isCarried) {
    const kept = apart?.(last) ?? [];
    const before = evidenceOf(last);
    for (const field of fields) {
      if (kept.includes(field) || merged[field] !== null || last[field] === null) continue;
      merged[field] = last[field];
      const found = before[field];
      merging[field] = found && { ...found, accession: found.accession ?? last.accession };
    }
  }
  if (isCarried && fields.every((field) => merged[field] === last[field])) return;
  const { filedAtMs: filedAt, form, accession, readFrom = null } = filing;
  const head = { filedAt, form, accession, currency, readFrom, evidence: textOf(merging) };
  const version = { ...head, ...merged };
  if (list) list.push(version);
  else versions.set(key, [version]);
}

/**
 * Returns the versions with their labels. A filing that changes a label alone adds a version too, so
 * that no row has a label that was unknown when it was filed.
 *
 * @param labels In the order of filing; with null, there is no row.
 * @param none Label before the first of them.
 */
export function labelledVersions<F extends string>(
  versions: readonly Version<F>[],
  labels: readonly Dated<PeriodLabel | null>[],
  none: PeriodLabel | null,
): (Version<F> & PeriodLabel)[] {
  return versions.flatMap((version, i) => {
    const untilMs = versions[i + 1]?.filedAt ?? Number.POSITIVE_INFINITY;
    const known = labels.findLast(({ filing }) => filing.filedAtMs <= version.filedAt);
    let label = known ? known.label : none;
    const rows = label ? [labelled(version, label)] : [];
    for (const { filing, label: later } of labels) {
      if (filing.filedAtMs <= version.filedAt || filing.filedAtMs >= untilMs) continue;
      if (later && !isSame(label, later)) rows.push(labelled(repeated(version, filing), later));
      label = later;
    }
    return rows;
  });
}

function labelled<F extends string>(
  version: Version<F>,
  { fiscalYear, fiscalQuarter }: PeriodLabel,
): Version<F> & PeriodLabel {
  return { fiscalYear, fiscalQuarter, ...version };
}

function isSame(a: PeriodLabel | null, b: PeriodLabel): boolean {
  return a?.fiscalYear === b.fiscalYear && a.fiscalQuarter === b.fiscalQuarter;
}

/** Returns a version as a later filing leaves it, with the filing that each figure is from. */
function repeated<F extends string>(version: Version<F>, filing: DatedFiling): Version<F> {
  const { filedAtMs: filedAt, form, accession, readFrom = null } = filing;
  const figures = Object.entries(evidenceOf(version)).map(([field, figure]) => {
    return [field, figure && { ...figure, accession: figure.accession ?? version.accession }];
  });
  const evidence = textOf(Object.fromEntries(figures));
  return { ...version, filedAt, form, accession, readFrom, evidence };
}

type Amounts = Readonly<Partial<Record<string, number | null>>>;

const SCALES = [1e3, 1e6];
const RESCALED_MIN = 2;

/** Returns true if a filing corrects the unit of an earlier one: its amounts belong to no other. */
export function isRescaled(before: Amounts, now: Amounts): boolean {
  const factors = Object.keys(now).flatMap((field) => {
    const [a, b] = [before[field], now[field]];
    return a && b ? [Math.max(a / b, b / a)] : [];
  });
  const isScale = (factor: number) => SCALES.includes(Math.round(factor));
  return factors.filter(isScale).length >= Math.max(RESCALED_MIN, factors.length / 2);
}
