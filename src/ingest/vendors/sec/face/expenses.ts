/** Reads single expenses from an income statement. Pure. */

import { conceptsOf, INCOME_LINES, type LineRule } from '../concepts/line-concepts.ts';
import { type Lines, statedLine } from '../concepts/lines.ts';
import { type FaceFigure, stated, summed, unknown } from './figure.ts';
import { amountsOf, isOwn, type ShownLine } from './lines.ts';

/** Expenses that filers tag with either sign. */
const EXPENSES: ReadonlySet<string> = new Set([
  'researchDevelopment',
  'sellingGeneralAdministrative',
  'interestExpense',
]);

const OF_INTEREST =
  /^(?!.*\b(income|capitalized|accrued|non-?controlling|minority|net)\b).*\binterest\b/i;

const INTEREST = /^(total )?interest (expense|charges)(, net)?$/i;

/** Returns a single line; an expense above zero, and so are the parts that it is the sum of. */
export function singleLine(amounts: Lines, field: string, rule: LineRule) {
  if (!EXPENSES.has(field)) return statedLine(amounts, rule);
  const given = conceptsOf(rule).flatMap((name) => {
    const amount = amounts[name];
    return amount === undefined ? [] : [[name, Math.abs(amount)] as const];
  });
  return statedLine(Object.fromEntries(given), rule);
}

/** Expenses whose lines stand on the statement; those of notes may be greater, or a part. */
export function faceExpenses(
  lines: readonly ShownLine[],
): Partial<Record<keyof typeof INCOME_LINES, FaceFigure>> {
  const amounts = amountsOf(lines);
  const figures: Partial<Record<keyof typeof INCOME_LINES, FaceFigure>> = {};
  for (const [field, rule] of Object.entries<LineRule>(INCOME_LINES)) {
    const name = field as keyof typeof INCOME_LINES;
    const line = singleLine(amounts, field, rule);
    const size = (value: number) => (EXPENSES.has(field) ? Math.abs(value) : value);
    const isPart = !rule.totals?.includes(line?.basis ?? '');
    const isOpen = isPart && lines.some((one) => isOwn(one) && OF_INTEREST.test(one.label));
    if (line && name === 'interestExpense' && isOpen) {
      figures[name] = unknown('other lines of interest are in concepts of the filer');
    } else if (line) {
      const shown = lines.filter(({ concept }) => line.basis.split(/[+,]/).includes(concept));
      const of = summed(shown.map((one) => ({ ...one, shown: size(one.value) })));
      figures[name] = { ...of, value: line.value };
    } else if (name === 'interestExpense' && !conceptsOf(rule).some((one) => one in amounts)) {
      const own = lines.find((one) => isOwn(one) && INTEREST.test(one.label));
      if (own) figures[name] = stated(own, size(own.value));
    }
  }
  return figures;
}
