/**
 * Makes a synthetic Financial Statement Data Set of any size: filings of invented companies, with
 * statements that add up, and as many numbers of notes as real filings have.
 */

/** Numbers a filing, as in the SEC's sets of 2024; most of them are of segments. */
const NOTES = 260;
const SEGMENT_SHARE = 0.65;

export interface MadeSet {
  sub: string;
  num: string;
  pre: string;
  tickers: string;
}

type Line = readonly [stmt: 'BS' | 'IS' | 'CF', tag: string, label: string, amount: number];

/** Line ends of a table; chunks are joined once. */
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;

/** Returns numbers from 0 to 1, the same for a seed. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @param filings One of each company. */
export function madeSet(filings: number): MadeSet {
  const random = randoms(1);
  const sub = ['adsh\tcik\tname\tform\tperiod\tfy\tfp\tfiled\taccepted\tinstance'];
  const num = ['adsh\ttag\tversion\tddate\tqtrs\tuom\tsegments\tcoreg\tvalue\tfootnote'];
  const pre = ['adsh\treport\tline\tstmt\tinpth\trfile\ttag\tversion\tplabel\tnegating'];
  const tickers: Record<string, object> = {};
  for (let cik = 1; cik <= filings; cik++) {
    const adsh = `${String(cik).padStart(10, '0')}-24-${String(cik).padStart(6, '0')}`;
    const isAnnual = random() < 0.4;
    const filed = '20240215';
    const head = [adsh, cik, `MADE ${cik} CORP`, isAnnual ? '10-K' : '10-Q', '20231231', 2023];
    const accepted = '2024-02-15 16:31:00.0';
    sub.push([...head, isAnnual ? 'FY' : 'Q1', filed, accepted, 'made-20231231.htm'].join('\t'));
    addStatements({ adsh, isAnnual, random, num, pre });
    addNotes(adsh, random, num);
    tickers[cik] = { cik_str: cik, ticker: tickerOf(cik), title: `Made ${cik} Corp` };
  }
  return { sub: text(sub), num: text(num), pre: text(pre), tickers: JSON.stringify(tickers) };
}

const LETTERS = 26;

function tickerOf(cik: number): string {
  const letter = (place: number) => String.fromCharCode(65 + (Math.floor(cik / place) % LETTERS));
  return [LETTERS ** 2, LETTERS, 1].map(letter).join('').padStart(4, 'X');
}

interface Filing {
  adsh: string;
  isAnnual: boolean;
  random: () => number;
  num: string[];
  pre: string[];
}

const REPORTS = { BS: 2, IS: 4, CF: 6 } as const;
const PERIODS = { BS: [0], IS: [1, 4], CF: [4] } as const;

function addStatements({ adsh, isAnnual, random, num, pre }: Filing): void {
  const sizes = [1, 0.9, 0.8].map((share) => Math.round((1 + random()) * 1e6 * share) * 1000);
  const lines = linesOf(sizes[0], random);
  for (const [i, [stmt, tag, label]] of lines.entries()) {
    pre.push(
      `${adsh}\t${REPORTS[stmt]}\t${i + 1}\t${stmt}\t0\tH\t${tag}\tus-gaap/2023\t${label}\t0`,
    );
  }
  for (const [year, size] of sizes.entries()) {
    const share = size / sizes[0];
    for (const [stmt, tag, , amount] of lines) {
      for (const quarters of isAnnual ? PERIODS[stmt].slice(-1) : PERIODS[stmt].slice(0, 1)) {
        const value = Math.round((amount * share) / 1000) * 1000;
        const day = `${2023 - year}1231`;
        num.push(`${adsh}\t${tag}\tus-gaap/2023\t${day}\t${quarters}\tUSD\t\t\t${value}.0000\t`);
      }
    }
  }
}

/** Returns statements whose totals are the sums of their lines in the first year. */
function linesOf(size: number, random: () => number): Line[] {
  const part = (share: number) => Math.round(size * share * (0.5 + random()) * 1e-3) * 1000;
  const lines: Line[] = [];
  const add = (stmt: Line[0], tag: string, label: string, amount: number) => {
    lines.push([stmt, tag, label, amount]);
    return amount;
  };
  const filler = (stmt: Line[0], name: string, count: number) => {
    let sum = 0;
    for (let i = 1; i <= count; i++)
      sum += add(stmt, `Other${name}${i}`, `${name} ${i}`, part(0.01));
    return sum;
  };
  const cash = add('BS', 'CashAndCashEquivalentsAtCarryingValue', 'Cash', part(0.1));
  const current = cash + filler('BS', 'AssetsCurrent', 6);
  add('BS', 'AssetsCurrent', 'Total current assets', current);
  const assets = current + filler('BS', 'AssetsNoncurrent', 8);
  add('BS', 'Assets', 'Total assets', assets);
  const short = add('BS', 'DebtCurrent', 'Short-term debt', part(0.02));
  const owed = short + filler('BS', 'LiabilitiesCurrent', 6);
  add('BS', 'LiabilitiesCurrent', 'Total current liabilities', owed);
  const long = add('BS', 'LongTermDebtNoncurrent', 'Long-term debt', part(0.01));
  const liabilities = owed + long + filler('BS', 'LiabilitiesNoncurrent', 4);
  add('BS', 'Liabilities', 'Total liabilities', liabilities);
  add('BS', 'StockholdersEquity', 'Total equity', assets - liabilities);
  add('BS', 'LiabilitiesAndStockholdersEquity', 'Total liabilities and equity', assets);
  const revenue = add('IS', 'Revenues', 'Revenue', size);
  const cost = add('IS', 'CostOfRevenue', 'Cost of revenue', part(0.5));
  add('IS', 'GrossProfit', 'Gross profit', revenue - cost);
  const spent = filler('IS', 'OperatingExpense', 10);
  add('IS', 'OperatingIncomeLoss', 'Operating income', revenue - cost - spent);
  add('IS', 'NetIncomeLoss', 'Net income', revenue - cost - spent);
  const flows = [filler('CF', 'Operating', 12), -filler('CF', 'Investing', 8)];
  add('CF', 'NetCashProvidedByUsedInOperatingActivities', 'Operating', flows[0]);
  add('CF', 'NetCashProvidedByUsedInInvestingActivities', 'Investing', flows[1]);
  const financing = filler('CF', 'Financing', 8);
  add('CF', 'NetCashProvidedByUsedInFinancingActivities', 'Financing', financing);
  return lines;
}

function addNotes(adsh: string, random: () => number, num: string[]): void {
  const count = NOTES * (0.5 + random());
  for (let i = 0; i < count; i++) {
    const segments = random() < SEGMENT_SHARE ? `ProductOrService=Made${i % 20};` : '';
    const tag = `MadeDisclosureOfNoteNumber${i % 170}Amount`;
    const value = Math.round(random() * 1e9);
    const day = `${2023 - (i % 3)}1231`;
    num.push(
      `${adsh}\t${tag}\tus-gaap/2023\t${day}\t${i % 5}\tUSD\t${segments}\t\t${value}.0000\t`,
    );
  }
}
