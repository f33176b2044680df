/** Rows of a statement by period. Each restatement is a version of its own. Pure. */

import type { Evidence, FigureEvidence } from '../../../../base/datasets/evidence.ts';
import { withoutContradicted } from './contradicted-quarters.ts';
import { type FiscalCalendar, withoutQuarters } from './fiscal-calendar.ts';
import { QuarterBases } from './quarter-bases.ts';
import { halfRests, type QuarterRest, quarterRests } from './quarter-rests.ts';
import {
  addVersion,
  type DatedFiling,
  labelledVersions,
  NO_PERIOD,
  type PeriodLabel,
  type Version,
  type VersionsOf,
} from './row-versions.ts';
import { StatedQuarters } from './stated-quarters.ts';
import type { Figures, StatementReport } from './statement-spans.ts';
import { ToldSpans } from './told-spans.ts';

/** Figures of a statement, and its own rules. */
export interface StatementKind<F extends string> {
  /** Figures that grow with the length of the period. Quarters without them are differences. */
  flows: readonly F[];
  /** Flows that prove a difference wrong if stated ones contradict it; default all. */
  proving?: readonly F[];
  /** All figures. */
  fields: readonly F[];
  /** Figures of an earlier version that a difference keeps. */
  carried?: readonly F[];
  /** Settles a report by all that filings told so far, that report included. */
  settled?(report: StatementReport<F>, told: ToldSpans<F>): StatementReport<F>;
  /** Completes the figures of a quarter that is a difference. */
  completed?(figures: Figures<F>, rest: QuarterRest<F>): Figures<F>;
  /** Returns the evidence of the figures that were completed. */
  derived?(before: Figures<F>, completed: Figures<F>): Evidence;
  /** Figures of the version before that don't go with new ones. */
  apart?(before: Figures<F>, now: Figures<F>): readonly F[];
}

type RowPeriod = 'annual' | 'quarterly' | 'semiannual';

export type PeriodRow<F extends string> = Version<F> &
  PeriodLabel & {
    date: number;
    period: RowPeriod;
  };

/** @param reports Reports in the order of filing. */
export function statementRows<F extends string>(
  reports: readonly { filing: DatedFiling; report: StatementReport<F> }[],
  calendar: FiscalCalendar,
  kind: StatementKind<F>,
): PeriodRow<F>[] {
  const { flows, fields, carried = [] } = kind;
  const none = Object.fromEntries(fields.map((field) => [field, null])) as Figures<F>;
  const years: VersionsOf<F> = new Map();
  const quarters: VersionsOf<F> = new Map();
  const halves: VersionsOf<F> = new Map();
  const told = new ToldSpans<F>(flows);
  const stated = new StatedQuarters<F>(flows, kind.proving);
  const bases = new QuarterBases<F>(told);
  for (const { filing, report: given } of reports) {
    const { currency } = given;
    const report = withoutContradicted(given, flows, (endDay) => {
      const known = quarters.get(String(endDay))?.at(-1);
      return known?.currency === currency ? known : undefined;
    });
    const add = (
      versions: VersionsOf<F>,
      endDay: number,
      figures: Figures<F>,
      evidence?: Evidence,
    ) =>
      addVersion(versions, String(endDay), filing, { currency, figures, evidence }, (before) =>
        kind.apart ? kind.apart(before, figures) : [],
      );
    told.add(report);
    const settled = kind.settled?.(report, told) ?? report;
    const evidence = new Map<number, Evidence>();
    for (const { endDay, length, figures, evidence: own } of settled.spans) {
      if (length === 'year') add(years, endDay, figures, own);
      if (length === 'quarter' && own) evidence.set(endDay, own);
    }
    for (const { endDay, length, candidates } of settled.spans) {
      if (length === 'quarter') bases.add(currency, endDay, candidates);
    }
    const own = stated.add(settled);
    for (const rest of quarterRests(told, currency)) {
      const { endDay } = rest;
      const before = quarters.get(String(endDay))?.at(-1);
      const known = before?.currency === currency ? before : undefined;
      const fill = stated.unstated(currency, rest, known);
      if (!fill) continue;
      const kept = Object.fromEntries(carried.map((field) => [field, known?.[field] ?? null]));
      const figures: Figures<F> = { ...none, ...kept, ...own.get(endDay), ...fill };
      const completed = kind.completed?.(figures, rest) ?? figures;
      own.set(endDay, completed);
      evidence.set(endDay, {
        ...openOf(rest.evidence),
        ...evidence.get(endDay),
        ...pickedOf(rest.evidence, fill),
        ...kind.derived?.(figures, completed),
      });
      bases.addRest(currency, rest, fill);
    }
    for (const [endDay, figures] of own) {
      add(quarters, endDay, figures, bases.marked(currency, endDay, evidence.get(endDay)));
    }
    for (const { endDay, length, figures, evidence: stated } of settled.spans) {
      const isHalf = length === 'half' && !quarters.has(String(endDay));
      if (isHalf) add(halves, endDay, figures, stated);
    }
    for (const rest of halfRests(told, currency)) {
      const figures: Figures<F> = { ...none, ...rest.figures };
      const completed = kind.completed?.(figures, rest) ?? figures;
      const derived = { ...rest.evidence, ...kind.derived?.(figures, completed) };
      add(halves, rest.endDay, completed, derived);
    }
  }
  return [
    ...rowsOf(years, 'annual', calendar),
    ...rowsOf(quarters, 'quarterly', calendar),
    ...rowsOf(halves, 'semiannual', calendar),
  ];
}

/** Selects the evidence of some figures. */
function pickedOf(evidence: Evidence, figures: object): Evidence {
  return Object.fromEntries(Object.keys(figures).map((field) => [field, evidence[field]]));
}

/** Selects the reasons why figures are unknown. */
function openOf(evidence: Evidence): Evidence {
  const open = Object.entries(evidence).filter(([, figure]) => figure?.verdict === null);
  return Object.fromEntries(open) as Record<string, FigureEvidence>;
}

function rowsOf<F extends string>(
  versions: VersionsOf<F>,
  period: RowPeriod,
  calendar: FiscalCalendar,
): PeriodRow<F>[] {
  return [...versions].flatMap(([key, list]) => {
    const end = Number(key);
    const date = calendar.dateOf(end, list[0].filedAt);
    const told = calendar.labelsOf(end);
    const labels = period === 'quarterly' ? told : withoutQuarters(told);
    return labelledVersions(list, labels, NO_PERIOD).map((row) => ({ date, period, ...row }));
  });
}
