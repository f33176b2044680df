/** Takes repurchase agreements of a bank out of its borrowings. Pure. */

import { DEBT_CONCEPTS } from '../concepts/debt-concepts.ts';
import { DOUBT_CONCEPTS } from '../concepts/doubt-concepts.ts';
import { amountsOf, firstAmount, type Lines } from '../concepts/lines.ts';

const { allDebt, shortTerm, shortTermParts } = DEBT_CONCEPTS;

/**
 * Leaves out totals that hold repurchase agreements: a total of short-term borrowings that is these
 * and its parts, and then any total of all debt. The parts remain.
 */
export function withoutRepurchases(lines: Lines): Lines {
  const repurchases = firstAmount(lines, DOUBT_CONCEPTS.repurchases);
  const short = firstAmount(lines, shortTerm);
  const parts = amountsOf(lines, shortTermParts);
  if (!repurchases || short === undefined || parts.length === 0) return lines;
  const sum = parts.reduce((all, amount) => all + amount, repurchases);
  if (sum !== short) return lines;
  const totals = new Set<string>([...shortTerm, ...allDebt]);
  return Object.fromEntries(Object.entries(lines).filter(([concept]) => !totals.has(concept)));
}
