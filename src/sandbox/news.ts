/** Articles on results. */

import type { DatasetRow } from '../base/datasets/dataset.ts';
import { dateFromDay } from '../base/time/dates.ts';
import { estimateOf, perShare, quarterIncome } from './filings.ts';
import type { Company } from './quarters.ts';
import { sharesOn } from './universe.ts';

const SOURCES = ['Sandbox Wire', 'Zindado Financial', 'Ploquvi Markets'];
const WRITING_MS = 20 * 60_000;
/** Difference from the estimate, as a fraction, from which news is good or bad. */
const NOTABLE = 0.01;

/** Returns an article per quarter; it names all share classes of the company. */
export function newsRows({ security, quarters, market }: Company): DatasetRow[] {
  const { companyName } = security;
  const classes = market.filter((other) => other.companyName === companyName);
  if (classes[0] !== security) return [];
  const root = security.symbol.split('.')[0].toLowerCase();
  return quarters.map((quarter) => {
    const { number, fiscalYear, fiscalQuarter, reportDay, reportMs } = quarter;
    const { netIncome, revenue } = quarterIncome(security, number);
    const shares = sharesOn(security, reportDay);
    const eps = perShare(netIncome, shares);
    const expected = perShare(estimateOf(security, quarter).netIncome, shares);
    const surprise = (eps - expected) / Math.max(Math.abs(expected), 0.01);
    const [verdict, sentiment] =
      surprise > NOTABLE
        ? ['beats', 'positive']
        : surprise < -NOTABLE
          ? ['misses', 'negative']
          : ['meets', 'neutral'];
    const earned = eps < 0 ? `loses $${-eps} a share` : `earns $${eps} a share`;
    return {
      title: `${companyName} ${earned} in Q${fiscalQuarter} ${fiscalYear} and ${verdict} expectations`,
      summary: `Analysts had expected $${expected} a share. Revenue was $${(revenue / 1e6).toFixed(1)} million.`,
      source: `${SOURCES[number % SOURCES.length]} (synthetic)`,
      url: `https://news.sandbox.invalid/${root}/${dateFromDay(reportDay)}/results`,
      publishedAt: reportMs + WRITING_MS,
      symbols: classes.map(({ symbol }) => symbol),
      sentiment,
    };
  });
}
