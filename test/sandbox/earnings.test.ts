import { describe, expect, it } from 'vitest';
import { isSession, sessionCloseMs } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { sandboxEarnings } from '../../src/sandbox/earnings.ts';
import { sandboxStatements } from '../../src/sandbox/statements.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';

const fromDay = dayFromDate('2021-01-04');
const toDay = dayFromDate('2026-11-20');
const universe = sandboxUniverse({ fromDay, toDay, stocks: 200 });
const stocks = universe.filter(({ type, lastDay }) => type === 'stock' && lastDay === undefined);
const throughMs = sessionCloseMs(toDay);
const span = { afterMs: sessionCloseMs(dayFromDate('2024-11-20')), throughMs };
const calendars = new Map(stocks.map((one) => [one, sandboxEarnings(one, span)]));

describe('earnings calendar of the sandbox', () => {
  it('reaches a year ahead, four reports a year, each on a session', () => {
    for (const [{ model }, rows] of calendars) {
      const coming = rows.filter(({ date }) => date > toDay);
      expect(rows.every(({ date }) => isSession(date))).toBe(true);
      if (model.lastDay !== undefined) continue;
      const inYear = coming.filter(({ date }) => date <= toDay + 365);
      expect(inYear.length).toBeGreaterThanOrEqual(3);
      expect(inYear.length).toBeLessThanOrEqual(5);
      expect(Math.max(...coming.map(({ date }) => date))).toBeGreaterThan(toDay + 300);
    }
  });

  it('names the quarters of the statements, which are filed on that day or soon after', () => {
    let matched = 0;
    for (const [security, rows] of calendars) {
      const quarters = new Map(
        sandboxStatements(security, span)
          .filter(({ period, form }) => period === 'quarterly' && /^10-[QK]$/.test(form!))
          .map((row) => [`${row.fiscalYear}-Q${row.fiscalQuarter}`, row]),
      );
      for (const { fiscalQuarter, date } of rows.filter((row) => row.date < toDay - 20)) {
        const statement = quarters.get(fiscalQuarter!);
        if (!statement) continue;
        const filedLater = statement.filedAt / 86_400_000 - date;
        expect(filedLater).toBeGreaterThan(0);
        expect(filedLater).toBeLessThan(16);
        matched++;
      }
    }
    expect(matched).toBeGreaterThan(800);
  });

  it('expects about what is then earned, sometimes more and sometimes less', () => {
    const surprises = [...calendars].flatMap(([security, rows]) => {
      const statements = sandboxStatements(security, span);
      return rows.flatMap(({ fiscalQuarter, revenueEstimate }) => {
        const told = statements.find(
          (row) =>
            row.period === 'quarterly' &&
            `${row.fiscalYear}-Q${row.fiscalQuarter}` === fiscalQuarter,
        );
        return told ? [told.revenue! / revenueEstimate! - 1] : [];
      });
    });
    const part = (is: (one: number) => boolean) => surprises.filter(is).length / surprises.length;
    expect(part((one) => Math.abs(one) > 0.08)).toBeLessThan(0.01);
    expect(part((one) => one > 0)).toBeGreaterThan(0.3);
    expect(part((one) => one < 0)).toBeGreaterThan(0.3);
  });

  it('replaces the row of a quarter when the one before it is out', () => {
    const [security] = stocks;
    const before = { ...span, throughMs: sessionCloseMs(dayFromDate('2026-06-01')) };
    const earlier = sandboxEarnings(security, before).filter(({ date }) => date > toDay);
    const later = sandboxEarnings(security, span);
    const revised = earlier.filter((row) => {
      const now = later.find(({ fiscalQuarter }) => fiscalQuarter === row.fiscalQuarter)!;
      expect(now.date).toBe(row.date);
      return now.epsEstimate !== row.epsEstimate;
    });
    expect(earlier.length).toBeGreaterThan(1);
    expect(revised).toHaveLength(1);
  });

  it('promises nothing of a company that will have left', () => {
    const leaving = sandboxUniverse({ fromDay, toDay }).filter(
      ({ type, model }) =>
        type === 'stock' && model.lastDay !== undefined && model.lastDay < toDay + 400,
    );
    expect(leaving.length).toBeGreaterThan(3);
    for (const security of leaving) {
      const beyond = sandboxEarnings(security, { afterMs: 0, throughMs }).filter(
        ({ date }) => date > security.model.lastDay!,
      );
      expect(beyond).toEqual([]);
    }
  });
});
