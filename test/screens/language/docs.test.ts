/** Examples in docs/screens.md compile, and have the results that the page states. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { BarColumns } from '../../../src/base/bars.ts';
import { SCREEN_FIELD_NAMES } from '../../../src/base/fields.ts';
import { limits } from '../../../src/base/limits.ts';
import { resampleDaily } from '../../../src/compute/bars/resample-daily.ts';
import { compileScreen } from '../../../src/screens/plan/compile.ts';
import { evaluateExpression } from '../../../src/screens/plan/evaluate.ts';
import type { Security } from '../../compute/support/interpret-screen.ts';
import { newestValues } from '../../compute/support/newest-values.ts';

const page = readFileSync(new URL('../../../docs/screens.md', import.meta.url), 'utf8');

/** Rows of the tables that have these words in their first two headings, code marks removed. */
function examples(...headings: [string, string]): string[][] {
  const tables = page.split('\n\n').map((block) => block.trim().split('\n'));
  return tables
    .filter(([head]) => head.startsWith(`| ${headings.join(' | ')} |`))
    .flatMap((lines) => lines.slice(2))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, code, result]) => [code.replace(/^`|`$/g, ''), result]);
}

const [barRows, companyRows] = [...page.matchAll(/```csv\n(.*?)```/gs)].map(([, csv]) => {
  const [head, ...lines] = csv.trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, i) => [name, cells[i]]));
  });
});

const securities: Security[] = companyRows.map((company) => {
  const rows = barRows.filter(({ symbol }) => symbol === company.symbol);
  const column = (name: string) => Float64Array.from(rows, (row) => Number(row[name]));
  const daily: BarColumns = {
    timestampUs: BigInt64Array.from(rows, ({ date }) => BigInt(Date.parse(date)) * 1000n),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
  const known = Object.entries(company).filter(([, value]) => value !== '');
  const numbers = known.map(([name, value]) => [name, Number(value)] as const);
  return {
    '1d': daily,
    '1w': resampleDaily(daily, '1w'),
    '1M': resampleDaily(daily, '1M'),
    numbers: Object.fromEntries(numbers.filter(([, value]) => !Number.isNaN(value))),
    texts: Object.fromEntries(known),
  };
});

describe('docs/screens.md', () => {
  it('has at least thirty examples with results, and twenty without', () => {
    const results = [
      ...examples('expression', 'value for ACME'),
      ...examples('condition', 'matches'),
    ];
    expect(results.length).toBeGreaterThanOrEqual(30);
    expect(examples('screen', 'finds').length).toBeGreaterThanOrEqual(20);
    expect(securities.map((security) => security['1d'].close.length)).toEqual([10, 10, 2]);
  });

  it.each(examples('expression', 'value for ACME'))(
    'gives the value of %s as %s',
    (text, value) => {
      const plan = compileScreen({ columns: text });
      const [column] = plan.columns;
      if (column.kind === 'text') throw new Error('a text has no number');
      const [acme] = evaluateExpression(column.expression, newestValues(plan, securities));
      expect(acme).toBeCloseTo(Number(value), 6);
    },
  );

  it.each(examples('condition', 'matches'))('says that %s matches "%s"', (where, matches) => {
    const plan = compileScreen({ where });
    const values = newestValues(plan, securities);
    const truths = plan.conditions.map(({ expression }) => evaluateExpression(expression, values));
    const symbols = companyRows.map(({ symbol }) => symbol);
    const found = symbols.filter((_, i) => truths.every((column) => column[i] === 1));
    expect(found.join(', ')).toBe(matches);
  });

  it.each(examples('screen', 'finds'))('has the recipe %s', (where) => {
    expect(compileScreen({ where }).conditions.length).toBeGreaterThan(0);
  });

  it.each(examples('expression', 'message'))('has the message for %s', (where, message) => {
    expect(() => compileScreen({ where })).toThrow(
      expect.objectContaining({ message, name: 'ExpressionError' }),
    );
  });

  it.each(SCREEN_FIELD_NAMES)('reads the field %s by its name', (name) => {
    expect(compileScreen({ columns: name })).toMatchObject({ fields: [name], bars: [] });
  });

  it('states every limit', () => {
    const stated = examples('limit', 'value').map(([, value]) => Number(value.replace(',', '')));
    const { screens } = limits;
    expect(stated).toEqual([
      screens.charsMax,
      screens.nestingMax,
      screens.conditionsMax,
      screens.columnsMax,
      screens.acrossMax,
      screens.operationsMax,
      screens.stateRowsMax,
    ]);
  });
});
