/**
 * Reads the main figures of a filing from the lines of its statements, as an accountant does: by
 * labels, places and sums. Shares no concept list and no rule with the product, whose figures it
 * judges.
 */

export interface OracleLine {
  stmt: string;
  report: number;
  tag: string;
  label: string;
  /** Amount as tagged, and with the sign that the statement shows. */
  value: number;
  shown: number;
}

export const ORACLE_FIGURES = [
  'revenue',
  'costOfRevenue',
  'grossProfit',
  'operatingIncome',
  'netIncome',
  'cash',
  'totalDebt',
  'totalEquity',
  'operatingCashFlow',
  'investingCashFlow',
  'financingCashFlow',
] as const;

export type OracleFigure = (typeof ORACLE_FIGURES)[number];
export type OracleAnswer = Partial<Record<OracleFigure, number>>;

/** Lines of each statement, of its own period. */
export interface OracleFaces extends Readonly<Record<'IS' | 'BS' | 'CF', readonly OracleLine[]>> {
  /** Cash at the end of the statement of cash flows. */
  endCash: number | undefined;
}

export function oracleAnswer({ IS, BS, CF, endCash }: OracleFaces): OracleAnswer {
  const income = IS.filter(
    ({ label, tag }) => !/per .*(share|unit)|shares|units/i.test(label + tag),
  );
  const revenue = revenueOf(income);
  const cost = costOf(income);
  const gross = amountOf(
    income,
    /\bgross (profit|margin|income|earnings|loss)/i,
    /after|adjusted/i,
  );
  return {
    revenue,
    costOfRevenue: gross !== undefined && revenue !== undefined ? revenue - gross : cost,
    grossProfit:
      gross ?? (revenue === undefined || cost === undefined ? undefined : revenue - cost),
    operatingIncome: operatingOf(income),
    netIncome: profitOf(income),
    cash: cashOf(BS, endCash),
    totalDebt: debtOf(BS),
    totalEquity: equityOf(BS),
    operatingCashFlow: flowOf(CF, 'operating'),
    investingCashFlow: flowOf(CF, 'investing'),
    financingCashFlow: flowOf(CF, 'financing'),
  };
}

type Lines = readonly OracleLine[];

function amountOf(lines: Lines, label: RegExp, but?: RegExp): number | undefined {
  return lines.find((line) => label.test(line.label) && !but?.test(line.label))?.value;
}

const SOLD = /\b(revenues?|sales|turnover)\b/i;
const NOT_SOLD =
  /\b(costs?|expenses?|deferred|before|tax(es)? (on|collected)|excise|gains?|loss(es)?|deductions?|provision|percent|interest|operating income|related to|of sales|other income)\b/i;
/** Labels of all revenue; the last one counts, since a net one follows a gross one. */
const WHOLE =
  /^(total|net|total net)( sales and)? (operating )?(revenues?|sales)(, net)?( \(.*\)|, net of interest expense.*)?$|^(total |net )?(sales|revenues?), (total|net)$/i;
const COSTS =
  /\b(costs?|(?<!interest )expenses?|salaries|benefits|purchased power|fuel)\b(?!.*\bnet of)/i;

/** The line of all revenue, or the greatest of sales; of a bank, net interest and other income. */
function revenueOf(lines: Lines): number | undefined {
  const net = amountOf(
    lines,
    /^(total )?net interest (income|revenue)|interest income, net\b/i,
    /after|provision.*after/i,
  );
  const end = lines.findIndex(({ label }) => COSTS.test(label));
  const before = lines.slice(0, end < 0 ? undefined : end);
  const whole = before.findLast(({ label }) => WHOLE.test(label)) ?? totalOfAll(before);
  const total = whole ?? lines.find(({ label }) => WHOLE.test(label));
  if (total) return total.value;
  const other = amountOf(lines, /^total (other|non-?\s?interest) (operating )?(income|revenues?)/i);
  if (net !== undefined) return other === undefined ? undefined : net + other;
  const sold = before.filter(({ label }) => SOLD.test(label) && !NOT_SOLD.test(label));
  const named = sold.findLast(({ label }) => /^total\b.*\b(revenues?|sales)/i.test(label));
  if (named) return named.value;
  return sold.reduce<OracleLine | undefined>(
    (best, one) => (!best || one.value > best.value ? one : best),
    undefined,
  )?.value;
}

/** A line without a name of its own, which is the sum of all lines before it. */
function totalOfAll(lines: Lines): OracleLine | undefined {
  return lines.findLast(
    (line, at) =>
      at > 1 &&
      (/^total\b/i.test(line.label) || SOLD.test(line.label)) &&
      !/other income|interest|dividend|fees?\b/i.test(line.label) &&
      line.value === lines.slice(0, at).reduce((sum, { value }) => sum + value, 0),
  );
}

const COST =
  /^(total )?costs? (of|applicable to) (net )?(the )?(sales?|revenues?|goods|products?|services?|merchandise|operations|equipment|contract|home|software|subscription|maintenance|rentals?|system|financing|post sales)/i;

function costOf(lines: Lines): number | undefined {
  const total = lines.find(({ label }) =>
    /^total (costs? of (net )?(sales|revenues?|goods|products))|^total costs?$|^costs? of (sales|revenues?), total$/i.test(
      label,
    ),
  );
  if (total) return Math.abs(total.value);
  const costs = lines.filter(({ label }) => COST.test(label));
  const from = lines.indexOf(costs[0]);
  const isRun = costs.every((line, i) => lines[from + i] === line);
  if (costs.length === 0 || !isRun) return undefined;
  const sum = costs.reduce((all, { value }) => all + Math.abs(value), 0);
  // The last of several costs may be their total.
  const last = Math.abs(costs.at(-1)!.value);
  return costs.length > 2 && sum === 2 * last ? last : sum;
}

function operatingOf(lines: Lines): number | undefined {
  return amountOf(
    lines,
    /\b(operating (income|profit|earnings|loss|\(loss)|(income|earnings|loss|profit|\(loss\)|losses) from (continuing )?operations\b)/i,
    /other operating|non-?operating|discontinued|before|continuing|equity in|per |tax|net operating loss|total operating/i,
  );
}

const NET =
  /\bnet\b.*\b(income|loss|earnings|profit)|\b(profit|loss|earnings|income) for the (year|period)|^(income|earnings)( \(loss\))? (attributable|available) to/i;
const NOT_NET =
  /\bbefore\b|net interest|investment|realized|revenue|net of tax|\bother|discontinued|continuing|from operations|operating|affiliates|equity (in|method)|premium|trading|derivative|foreign|securities|gain|\bsales?\b|otti|impairment|dispos|cumulative effect|comprehensive|reclassif/i;
const MINORITY = /\bminority|non-?controlling/i;
const COMMON = /\b(common|participating)\b/i;

function profitOf(lines: Lines): number | undefined {
  const profits = lines.filter(
    ({ label, value }) =>
      NET.test(label) && !NOT_NET.test(label) && Math.abs(value) > PER_SHARE_MOST,
  );
  const at = lines.findLastIndex(
    ({ label, value }) =>
      (MINORITY.test(label) ||
        /dividend.*preferred.*of subsid|preferred dividend req/i.test(label)) &&
      Math.abs(value) > PER_SHARE_MOST &&
      !/before|including non|expense|comprehensive/i.test(label) &&
      !/^(consolidated )?net (income|loss|earnings)[^,]{0,12}(after|including)/i.test(label),
  );
  const shared = profits.filter(({ label }) => !MINORITY.test(label) && !COMMON.test(label));
  if (at < 0) return (shared[0] ?? profits.at(-1))?.value;
  const named = shared.findLast(({ label }) =>
    /(attributable|applicable|allocable|available) to|after dividends/i.test(label),
  );
  const after = named ?? shared.find((line) => lines.indexOf(line) > at);
  if (after) return after.value;
  const whole = shared.findLast((line) => lines.indexOf(line) < at);
  // Where only income to common shares follows, minorities are taken off by hand.
  return whole && whole.value - Math.abs(lines[at].value) * Math.sign(minorityOf(lines[at]));
}

/** The part of minorities, above zero where they have a profit. */
function minorityOf({ value, tag }: OracleLine): number {
  return /NetIncomeLossAttributableTo|MinorityInterestInNetIncome/.test(tag) ? value : -value;
}

/** Amounts below this are per share. */
const PER_SHARE_MOST = 100;

/** Cash and cash equivalents; of a bank, those of the statement of cash flows. */
function cashOf(lines: Lines, endCash: number | undefined): number | undefined {
  const end = lines.findIndex(({ label }) => /^total assets/i.test(label));
  const assets = end < 0 ? lines : lines.slice(0, end);
  const whole = amountOf(
    assets,
    /^(total )?cash and (cash )?(equivalents|investments)\b|^(total )?cash, cash equivalents/i,
    /segregated/i,
  );
  if (whole !== undefined) return whole;
  const own = amountOf(
    assets,
    /^(total )?cash\b/i,
    /^cash\W+(and )?(\w+ ){0,3}(restricted|segregated|surrender)|investments?\b(?!.*equivalents\s*$)|marketable|securities|short-term|surrender|collateral|deposits? with/i,
  );
  return assets.some(({ label }) => /due from (other )?banks|demand balances due/i.test(label))
    ? (endCash ?? own)
    : own;
}

const BORROWED =
  /\b(debt|borrowings?|borrowed|loans?|notes? payable|notes and|bonds?|debentures?|(senior|convertible|subordinated|secured|unsecured|term|medium[- ]term|mortgage|discount) notes?|credit (facility|facilities|line|agreement)|lines? of credit|mortgages?|commercial paper|federal home loan|fhlb|trust preferred|capital securities|indebtedness|long-term obligations|short-term obligations|current (portion|maturities) of long|securities due within one year|funding obligations|financing arrangements|notes, net|other long-term obligations)\b/i;
const NOT_BORROWED =
  /\b(deferred|interest payable|accrued|receivables?|deposits?|derivatives?|warrants?|repurchase|federal funds|allowance|tax(es)?|held for sale|discontinued|participations?|commitments?|reserves?|equity|premium on|loss(es)?|pension|trade|servicing|unearned|liability to|securitized assets|loans to|capital expenditures|subject to compromise|total long-term obligations|capital leases? due|under capital leases?)\b|^total long-term (obligations|liabilities)|^other long-term obligations|incremental/i;

/** Lines between total assets and equity that name borrowings; a total of the run before counts once. */
function debtOf(lines: Lines): number | undefined {
  const from = lines.findIndex(
    ({ label, tag }) => /^total assets/i.test(label) || tag === 'Assets',
  );
  if (from < 0) return undefined;
  const owed = lines
    .slice(from + 1)
    .filter(
      ({ label }) =>
        !/^total (current )?(liabilities|capitalization)|capitalization|non-current liabilities/i.test(
          label,
        ),
    );
  const found: OracleLine[] = [];
  for (const line of owed) {
    if (!BORROWED.test(line.label) || NOT_BORROWED.test(line.label)) continue;
    if (/^less\b/i.test(line.label) && found.length > 0) continue;
    // A total of borrowed funds may hold repurchase agreements, which are none.
    if (/^total (borrow|wholesale|short-term borrow)/i.test(line.label)) {
      if (tailThatAddsUp(found, line.value) === 0) continue;
    }
    if (/^total\b/i.test(line.label)) {
      // A total of long-term debt replaces the lines back to the last current one.
      const kept = found.findLastIndex(({ label }) =>
        /\b(current|short|within one year|due)\b/i.test(label),
      );
      const run = tailThatAddsUp(found, line.value);
      found.splice(run > 0 ? found.length - run : kept + 1);
    } else if (/\bnet\b|excluding/i.test(line.label)) {
      found.splice(found.length - tailThatAddsUp(found, line.value));
    }
    found.push(line);
  }
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

function tailThatAddsUp(found: Lines, value: number): number {
  let sum = 0;
  for (let count = 1; count <= found.length; count++) {
    sum += found[found.length - count].value;
    if (sum === value) return count;
  }
  return 0;
}

function equityOf(lines: Lines): number | undefined {
  const end = lines.findIndex(({ label }) =>
    /^total (liabilities|capitalization)\b.*\b(equity|deficit|capital|liabilities|interests?|investment)\b/i.test(
      label,
    ),
  );
  const side = end < 0 ? lines : lines.slice(0, end);
  const totals = side.filter(
    ({ label }) =>
      /\b(equity|deficit|deficiency|capital|net assets)\b/i.test(label) &&
      /^(total|share|stock|equity)/i.test(label) &&
      !/liabilities|additional|current|securities|paid|units|working|redeemable|investments/i.test(
        label,
      ),
  );
  return totals.at(-1)?.value;
}

function flowOf(lines: Lines, kind: string): number | undefined {
  const label = new RegExp(`\\bcash\\b.*\\b${kind}\\b`, 'i');
  const found = lines.filter(
    (line) =>
      label.test(line.label) &&
      !/adjust|reconcil|changes in|before|increase.*due|interest|non-?cash|tax benefit/i.test(
        line.label,
      ),
  );
  // Some name what is of operations that ended in the concept alone.
  const wordsOf = ({ label, tag }: OracleLine) => `${label} ${tag}`;
  const whole = found.filter((line) => !/continuing|discontinued/i.test(wordsOf(line)));
  if (whole.length > 0) return whole.at(-1)?.shown;
  const parts = [/(?<!dis)continuing/i, /discontinued/i].map((one) =>
    found.find((line) => one.test(wordsOf(line))),
  );
  return parts[0] && parts[0].shown + (parts[1]?.shown ?? 0);
}
