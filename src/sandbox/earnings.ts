/** When companies of the sandbox will report, and what analysts expect of it. */

import type { RowOf } from '../base/datasets/datasets.ts';
import type { earningsCalendar } from '../base/datasets/market.ts';
import { newYorkDay } from '../base/time/calendar.ts';
import { dilutedSharesOn, perShare, quarterIncome } from './fundamentals.ts';
import { normalAt, seedAt } from './random.ts';
import {
  companySeed,
  type FiscalQuarter,
  fiscalQuarterAt,
  isWithin,
  newYorkMs,
  quartersAround,
  type SandboxSpan,
} from './reporting.ts';
import type { SandboxSecurity } from './universe.ts';

type EarningsRow = RowOf<typeof earningsCalendar>;

/** A report is announced when that of so many quarters before is out. */
const ANNOUNCED_QUARTERS = 5;
const AT = { sales: 1, early: 2 } as const;

export interface Estimate {
  netIncome: number;
  revenue: number;
}

/**
 * What is expected in the end. Results surprise as their session did: a company beats what was
 * expected on a day when its price does better than its market.
 */
export function finalEstimate(
  security: SandboxSecurity,
  { number, surprise }: Pick<FiscalQuarter, 'number' | 'surprise'>,
): Estimate {
  const { netIncome, revenue } = quarterIncome(security, number);
  const noise = normalAt(seedAt(companySeed(security, 'estimates'), AT.sales), number);
  const size = Math.max(Math.abs(netIncome), 0.01 * revenue);
  return {
    netIncome: netIncome - 0.06 * surprise * size,
    revenue: revenue * (1 - 0.012 * surprise - 0.004 * noise),
  };
}

/**
 * The newest row of each quarter that became known in a span: one when its report is announced,
 * more than a year ahead, and one that replaces it when the report before it is out.
 */
export function sandboxEarnings(security: SandboxSecurity, span: SandboxSpan): EarningsRow[] {
  if (security.type === 'etf') return [];
  const ahead = { before: 1, after: ANNOUNCED_QUARTERS };
  return quartersAround(security, span, ahead).flatMap((quarter) => {
    const finalMs = knownMs(security, quarter.number - 1);
    const isFinal = finalMs <= span.throughMs;
    const asOf = isFinal ? finalMs : knownMs(security, quarter.number - ANNOUNCED_QUARTERS);
    return isWithin(asOf, span) ? [earningsRow(security, quarter, { asOf, isFinal })] : [];
  });
}

function earningsRow(
  security: SandboxSecurity,
  quarter: FiscalQuarter,
  { asOf, isFinal }: { asOf: number; isFinal: boolean },
): EarningsRow {
  const final = finalEstimate(security, quarter);
  const doubt = normalAt(seedAt(companySeed(security, 'estimates'), AT.early), quarter.number);
  const early = isFinal ? 1 : 1 + 0.05 * doubt;
  const netIncome = final.netIncome * early;
  const shares = dilutedSharesOn(security, newYorkDay(asOf), netIncome);
  return {
    symbol: security.symbol,
    companyName: security.companyName,
    date: quarter.reportDay,
    fiscalQuarter: `${quarter.fiscalYear}-Q${quarter.fiscalQuarter}`,
    time: quarter.time,
    epsEstimate: perShare(netIncome, shares),
    revenueEstimate: Number((final.revenue * early).toPrecision(4)),
    asOf,
  };
}

/** Two hours after a quarter's report; at the listing where that is later. */
function knownMs(security: SandboxSecurity, number: number): number {
  const listedMs = newYorkMs(security.firstDay, 7, 45);
  const report = fiscalQuarterAt(security, number);
  return Math.max(listedMs, report ? report.reportMs + 2 * 3_600_000 : 0);
}
