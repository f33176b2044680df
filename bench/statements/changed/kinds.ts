/** Changes of a filing's statements that leave its figures the same, or unknown. */

/** `tag version ddate qtrs uom value segments` of a number, `stmt report tag version …` of a line. */
type Cells = readonly string[];

interface Changed {
  lines: readonly Cells[];
  numbers: readonly Cells[];
}

type Change = (
  lines: readonly Cells[],
  numbers: readonly Cells[],
  random: () => number,
  filing: { adsh: string },
) => Changed;

const SHARE = 0.35;

/** Lines that nearly all filers tag with standard concepts. */
const STANDARD =
  /^(Assets|Liabilities|LiabilitiesAndStockholdersEquity|StockholdersEquity.*|NetIncomeLoss|ProfitLoss|Revenues|SalesRevenueNet|OperatingIncomeLoss|GrossProfit|NetCashProvided.*|CashAndCashEquiv.*|Earnings.*|Weighted.*)$/;
const TOTALS =
  /^(Revenues|SalesRevenueNet|OperatingIncomeLoss|GrossProfit|CostsAndExpenses|OperatingExpenses|StockholdersEquity|Liabilities|NetCashProvidedByUsedIn\w+Activities)$/;
const SUBTOTALS =
  /^(AssetsCurrent|LiabilitiesCurrent|Liabilities|OperatingExpenses|CostsAndExpenses|NonoperatingIncomeExpense|LongTermDebt)$/;
const PAID = /(Payments|Repayments|Depreciation|Expense|Cost|Tax|SalesRevenue|Revenues)/;

/** Gives some lines concepts of the filer, with the same labels. */
function inOwnConcepts(isWanted: (tag: string) => boolean): Change {
  return (lines, numbers, random, { adsh }) => {
    const names = new Map<string, string>();
    for (const [, , tag, version] of lines) {
      if (names.has(tag) || !isWanted(tag) || version === adsh || random() >= SHARE) continue;
      names.set(tag, `Own${names.size}`);
    }
    const named = (cells: Cells, at: number) => {
      const name = names.get(cells[at]);
      return name ? [...cells.slice(0, at), name, adsh, ...cells.slice(at + 2)] : cells;
    };
    return {
      lines: lines.map((line) => named(line, 2)),
      numbers: numbers.map((number) => named(number, 0)),
    };
  };
}

/** Notes with an amount for a concept that the filing has not, near the one of another. */
const NOTES: readonly (readonly [concept: string, near: string])[] = [
  ['StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest', 'StockholdersEquity'],
  ['Liabilities', 'StockholdersEquity'],
  ['Revenues', 'SalesRevenueNet'],
  ['SalesRevenueNet', 'Revenues'],
  ['CostOfRevenue', 'CostOfGoodsSold'],
  ['ProfitLoss', 'NetIncomeLoss'],
  ['InterestExpense', 'InterestExpenseDebt'],
  ['LongTermDebtNoncurrent', 'LongTermDebt'],
  ['ShortTermBorrowings', 'DebtCurrent'],
  ['Cash', 'CashAndCashEquivalentsAtCarryingValue'],
  ['PaymentsOfDividends', 'PaymentsOfDividendsCommonStock'],
  ['PaymentsToAcquireProductiveAssets', 'PaymentsToAcquirePropertyPlantAndEquipment'],
];

const withNotes: Change = (lines, numbers, random) => {
  const given = new Set(numbers.map(([tag]) => tag));
  const more = NOTES.filter(([concept]) => !given.has(concept) && random() < 0.5).flatMap(
    ([concept, near]) => {
      const factor = 0.55 + 0.9 * random();
      return numbers
        .filter(([tag]) => tag === near)
        .map(([, version, day, quarters, unit, value]) => {
          const amount = String(Math.round(Number(value) * factor));
          return [concept, version, day, quarters, unit, amount, ''];
        });
    },
  );
  return { lines, numbers: [...numbers, ...more].sort(([x], [y]) => (x < y ? -1 : 1)) };
};

/** Tags some amounts with the other sign, and shows them with the same. */
const withSigns: Change = (lines, numbers, random) => {
  const flipped = new Set(
    lines
      .filter(([stmt, , tag]) => stmt !== 'BS' && PAID.test(tag) && !/Income|Share/.test(tag))
      .filter(() => random() < SHARE)
      .map(([, , tag]) => tag),
  );
  const isTurned = (flag: string) => flag === '1' || flag === 'true';
  return {
    lines: lines.map((line) =>
      flipped.has(line[2]) ? line.with(4, isTurned(line[4]) ? '0' : '1') : line,
    ),
    numbers: numbers.map((number) =>
      flipped.has(number[0]) ? number.with(5, String(-Number(number[5]))) : number,
    ),
  };
};

const withoutSubtotals: Change = (lines, numbers, random) => {
  const left = new Set(
    lines.map(([, , tag]) => tag).filter((tag) => SUBTOTALS.test(tag) && random() < SHARE),
  );
  return {
    lines: lines.filter(([, , tag]) => !left.has(tag)),
    numbers: numbers.filter(([tag]) => !left.has(tag)),
  };
};

/** Lines of which only a segment has an amount. */
const withHoles: Change = (lines, numbers, random) => {
  const tags = new Set(lines.map(([, , tag]) => tag));
  const left = new Set([...tags].filter((tag) => tag !== 'Assets' && random() < 0.06));
  return { lines, numbers: numbers.filter(([tag]) => !left.has(tag)) };
};

export const KINDS: Readonly<Record<string, Change>> = {
  'lines in own concepts': inOwnConcepts((tag) => !STANDARD.test(tag)),
  'totals in own concepts': inOwnConcepts((tag) => TOTALS.test(tag)),
  notes: withNotes,
  signs: withSigns,
  'no subtotals': withoutSubtotals,
  holes: withHoles,
};
