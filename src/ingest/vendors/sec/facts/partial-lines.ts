/**
 * Leaves single figures open whose own line names something else too, or is one of several lines of
 * its kind. Pure.
 */

import { nameOf, type ShownLine } from '../face/lines.ts';
import { type FaceNode, treesOfLines, within } from '../face/tree.ts';
import { type ToldFigures, undecidedEvidence, withOpen } from './evidence.ts';

type Words = Readonly<Record<string, RegExp>>;

/** Words of a line that is not the figure alone, or is another one. */
const MIXED: Words = {
  receivables: /\bunrelated\b|- other\b|^(gold|financ\w+|(income )?tax(es)?|loans?)\b/i,
  inventory: /\band (other|prepaid)\b(?!.*\binventor)/i,
  goodwill: /\bintangibles?\b/i,
  intangibleAssets: /\band other assets\b|\bgoodwill and\b/i,
  accountsPayable:
    /\baccru(ed|als)\b(?!.*\btrade creditors)|\bother (current )?liabilities\b|\btaxes\b|\bcurrent portion\b|\bcustomers\b|\brelated part|- other$/i,
  interestExpense: /\band other\b(?!.*\bfinanc|.*\bcosts)|\breversal\b/i,
  sellingGeneralAdministrative:
    /^(?!.*\b(sales|selling|marketing|advertising|general|administrati\w+|sg&a)\b)|\b(research|development|engineering)\b/i,
  depreciationAmortization: /^(dis)?continu(ed|ing) operations\b|\bnon-?cash\b/i,
  acquisitions: /\band (other )?investments\b|^investments and\b/i,
  retainedEarnings: /\bother comprehensive\b/i,
  shareRepurchases:
    /^(?!.*\brepurchase).*\bwithh(e|o)ld|\band payments\b|\bsubsidiar\w+\b|\bdeemed\b/i,
};

/** Words of other lines of the same kind. */
const OTHERS: Words = {
  inventory:
    /^(?!.*\b(non-?current|long-term|advances?|reserves?|allowances?|purchases?)\b).*(\binventor(y|ies)\b|^materials and supplies\b|^fuel(,| oil| stock|$)|\b(stored|in) underground\b)/i,
  preferredEquity:
    /^(?!.*\b(total|liabilit\w+|dividends?|treasury|repurchased|subsidiar\w+|trust|notes|redeemable|debentures|partnership)\b).*(\bprefer(red|ence) (stock|shares|units)\b|^series [a-z]\b)/i,
  minorityInterest:
    /^(?!.*\b(total|equity|redeemable|payable|due|loans?|distributions)\b).*\b(non-?controlling|minority) interests?\b/i,
  sellingGeneralAdministrative:
    /\bsubscription acquisition costs\b|^(selling|marketing) expenses?$/i,
  depreciationAmortization:
    /^(?!.*\b(depreciation|leases?|market|deferred|debt|financing|revenues?|content)\b).*\bamorti[sz]ation\b.*\b(intangibles?|(acquired|purchased) technolog\w+)\b/i,
  interestPaid: /^(cash )?interest (paid|payments) (on|to)\b/i,
  shortTermInvestments:
    /^(?!.*\b(long-?term|non-?current|cash)\b)(short-?term|marketable) (equity |debt )?(securities|investments)\b/i,
  shareRepurchases: /\btreasury (stock|shares) (purchased|acquired)\b|^purchases? of treasury\b/i,
};

/** Labels of lines that hold all of their kind. */
const WHOLE: Words = {
  inventory: /\btotal\b/i,
  minorityInterest: /^total\b/i,
  sellingGeneralAdministrative: /\bgeneral\b.*\badministrati|\badministrati\w+\b.*\bgeneral\b/i,
};

const OUTSIDE = 'its line stands outside of equity';
const IS_MIXED = 'its line may hold something else';
const IS_PART = 'the line may be a part of it, too';

/** Parts of equity, which lines between it and liabilities are not. */
const OF_EQUITY: ReadonlySet<string> = new Set(['preferredEquity', 'minorityInterest']);

const FIELDS = [...new Set([...Object.keys(MIXED), ...Object.keys(OTHERS)])];

/** @param lines The statement, in its order. */
export function withoutPartial<F extends string>(
  told: ToldFigures<F>,
  lines: readonly ShownLine[],
): ToldFigures<F> {
  const conceptsOf = (field: string) =>
    new Set(told.evidence?.[field]?.lines?.map(([concept]) => concept));
  const outside = conceptsOf('temporaryEquity');
  const known = FIELDS.filter((field) => (told.figures[field as F] ?? null) !== null);
  const reasons = known.map((field) => {
    const own = conceptsOf(field);
    return [field, doubtOf({ field, value: told.figures[field as F]!, own, outside }, lines)];
  });
  return withOpen(told, Object.fromEntries(reasons), undecidedEvidence);
}

interface SingleFigure {
  field: string;
  value: number;
  /** Concepts of its lines, and of those between liabilities and equity. */
  own: ReadonlySet<string>;
  outside: ReadonlySet<string>;
}

/** Returns the reason why a figure is not its lines. */
function doubtOf(
  { field, value, own, outside }: SingleFigure,
  lines: readonly ShownLine[],
): string | undefined {
  const shown = lines.filter(({ concept }) => own.has(concept));
  if (shown.length === 0) return undefined;
  const quoted = ({ label }: ShownLine, reason: string) => `"${label}": ${reason}`;
  const isOut = OF_EQUITY.has(field) && shown.find(({ concept }) => outside.has(concept));
  if (isOut) return quoted(isOut, OUTSIDE);
  const mixed = shown.find(({ label }) => MIXED[field]?.test(label));
  if (mixed && !partsOf(mixed, lines).some(({ label }) => !MIXED[field].test(label))) {
    return quoted(mixed, IS_MIXED);
  }
  if (shown.some(({ label }) => WHOLE[field]?.test(label))) return undefined;
  // Assets that are not current may have the same names.
  const current = lines.findIndex((line) => nameOf(line) === 'AssetsCurrent');
  const isBehind = (line: ShownLine) => lines.indexOf(line) > current;
  const isOther = (line: ShownLine) =>
    OTHERS[field]?.test(line.label) &&
    line.value !== 0 &&
    line.value !== value &&
    !own.has(line.concept) &&
    !outside.has(line.concept) &&
    isBehind(line) === isBehind(shown[0]);
  const isIn = (part: ShownLine, whole: ShownLine) =>
    partsOf(whole, lines).some(({ concept }) => concept === part.concept);
  const other = lines.find(
    (line) => isOther(line) && !shown.some((one) => isIn(one, line) || isIn(line, one)),
  );
  return other && quoted(other, IS_PART);
}

/** Returns the lines that one is the total of. */
function partsOf({ concept }: ShownLine, lines: readonly ShownLine[]): FaceNode[] {
  const nodes = [...within(treesOfLines(lines, false))];
  const total = nodes.find((node) => node.concept === concept);
  return total ? [...within(total.parts)] : [];
}
