/** Filings: a report per quarter with statement, balance sheet and share count; some amended. */

import type { DatasetRow } from '../base/datasets/dataset.ts';
import { balanceSheetAt, dilutedShares, perShare, quarterIncome, yearIncome } from './figures.ts';
import { SESSIONS } from './levels.ts';
import { type Company, newYorkMs, type Quarter, recordSeed } from './quarters.ts';
import { integerAt, seedAt } from './random.ts';
import { sharesOn } from './universe.ts';

/** One in 25 annual reports is amended within a quarter. */
const AMENDED_EVERY = 25;

interface Filing {
  quarter: Quarter;
  /** Share counts are on the split basis of this day. */
  day: number;
  filedAt: number;
  form: '10-Q' | '10-K' | '10-K/A';
  accession: string;
}

/**
 * Returns a row for each period of each filing, with the columns of statements and of balance
 * sheets. The fourth quarter is in the report of its year.
 */
export function periodRows(company: Company): DatasetRow[] {
  const { security } = company;
  return filingsOf(company).flatMap(({ quarter, day, filedAt, form, accession }) => {
    const { number, endDay, fiscalYear, fiscalQuarter } = quarter;
    const isRestated = form === '10-K/A';
    const { symbol } = security;
    const filing = { symbol, date: endDay, filedAt, fiscalYear, currency: 'USD', form, accession };
    const balanceSheet = balanceSheetAt(security, number, isRestated);
    const sharesBasic = sharesOn(security, day);
    const periods = fiscalQuarter === 4 ? ['annual', 'quarterly'] : ['quarterly'];
    return periods.map((period) => {
      const isYear = period === 'annual';
      const income = (isYear ? yearIncome : quarterIncome)(security, number, isRestated);
      const sharesDiluted = dilutedShares(security, sharesBasic, income.netIncome);
      return {
        ...filing,
        ...balanceSheet,
        ...income,
        period,
        fiscalQuarter: isYear ? null : fiscalQuarter,
        netIncomeToCommon: income.netIncome,
        sharesBasic,
        sharesDiluted,
        eps: perShare(income.netIncome, sharesBasic),
        epsDiluted: perShare(income.netIncome, sharesDiluted),
      };
    });
  });
}

/** Returns the share count on the cover of each filing. */
export function shareRows(company: Company): DatasetRow[] {
  const { security } = company;
  return filingsOf(company).map(({ day, filedAt }) => ({
    symbol: security.symbol,
    date: day,
    filedAt,
    kind: 'cover',
    shares: sharesOn(security, day),
  }));
}

function filingsOf({ security, quarters }: Company): Filing[] {
  const seed = recordSeed(security, 2);
  const root = security.symbol.split('.')[0].toLowerCase();
  return quarters.flatMap((quarter) => {
    const { number, place, fiscalYear, fiscalQuarter } = quarter;
    const isYear = fiscalQuarter === 4;
    const filing = (form: Filing['form'], sessionsLater: number, ending: string): Filing => {
      const day = SESSIONS[place + sessionsLater];
      const filedAt = newYorkMs(day, 16, 45 + integerAt(seedAt(seed, 2), number, 45));
      return { quarter, day, filedAt, form, accession: `sandbox-${root}-${fiscalYear}-${ending}` };
    };
    const delay = integerAt(seedAt(seed, 1), number, isYear ? 8 : 3);
    const report = filing(isYear ? '10-K' : '10-Q', delay, `q${fiscalQuarter}`);
    if (!isYear || integerAt(seedAt(seed, 3), number, AMENDED_EVERY) > 0) return [report];
    return [report, filing('10-K/A', 20 + integerAt(seedAt(seed, 4), number, 40), 'amended')];
  });
}
