/** Old and new shares of a row of a corporate-actions file, in any usual spelling. */

import { type Shares, splitOfShares } from '../values/split-ratio.ts';
import { splitFromText } from '../values/split-text.ts';

export type SplitKind = 'split' | 'forward' | 'reverse' | 'stock dividend';

/** Texts of the columns of a row; empty where there is none. */
interface ShareTexts {
  numerator: string;
  denominator: string;
  ratio: string;
  /** Text about the split, such as `4-for-1 split`. */
  words: string;
  /** True for columns `fromFactor` and `toFactor`, which vendors fill in both directions. */
  areFactors: boolean;
  /** True for columns named after new and old shares, as `splitTo` and `splitFrom`. */
  areNewAndOld: boolean;
}

/**
 * Reads the ratio of a split, which a column `ratio`, the numerator alone, or numerator and
 * denominator state. A stock dividend below 1, or in percent, is the part that is added: 0.05 is
 * 21:20.
 *
 * @returns undefined if the row states none; else the reason to refuse it.
 */
export function sharesOfRow(
  kind: SplitKind,
  texts: ShareTexts,
): { shares: Shares } | { reason: string } | undefined {
  const [, added] = PERCENT.exec(kind === 'stock dividend' ? texts.ratio : '') ?? [];
  if (Number(added) > 0) return { shares: splitOfShares(100 + Number(added), 100) };
  const stated = statedShares(texts);
  if (!stated || 'reason' in stated) return stated;
  const { shares } = stated;
  const ratio = shares.numerator / shares.denominator;
  if (kind === 'reverse' && ratio > 1) {
    return { reason: 'a reverse split has fewer new shares than old ones: 1:10' };
  }
  if (kind === 'forward' && ratio < 1) {
    return { reason: 'a forward split has more new shares than old ones: 10:1' };
  }
  if (kind !== 'stock dividend' || ratio > 1) return stated;
  if (ratio === 1) return { reason: 'a stock dividend of 1:1 may be a split of 2:1 or none' };
  const { numerator, denominator } = shares;
  return { shares: splitOfShares(numerator + denominator, denominator) };
}

const PERCENT = /^(\d+(?:\.\d+)?) ?%$/;

function statedShares(texts: ShareTexts): ReturnType<typeof sharesOfRow> {
  const { numerator, denominator, ratio } = texts;
  const fromRatio = readShares(ratio, 'ratio');
  const fromParts = denominator === '' ? aloneShares(texts) : partsShares(numerator, denominator);
  if (!fromRatio || !fromParts) return fromRatio ?? fromParts;
  if ('reason' in fromRatio || 'reason' in fromParts)
    return 'reason' in fromRatio ? fromRatio : fromParts;
  if (texts.areFactors && !texts.areNewAndOld)
    return factorShares(fromParts.shares, fromRatio.shares, texts.words);
  const isSame =
    fromRatio.shares.numerator === fromParts.shares.numerator &&
    fromRatio.shares.denominator === fromParts.shares.denominator;
  return isSame ? fromRatio : { reason: 'ratio is not numerator and denominator' };
}

/** Reads a numerator without a denominator, which is a ratio. */
function aloneShares({ numerator, areFactors }: ShareTexts): ReturnType<typeof sharesOfRow> {
  const found = readShares(numerator, 'numerator');
  const isWhole = found && !areFactors && !('shares' in found && isEven(found.shares));
  return isWhole || found === undefined || 'reason' in found
    ? found
    : { reason: 'denominator is missing: a numerator of 1, or a column of new shares, needs one' };
}

const isEven = ({ numerator, denominator }: Shares) => numerator === denominator;
const inverse = ({ numerator, denominator }: Shares) => splitOfShares(denominator, numerator);
const isSameShares = (a: Shares, b: Shares) =>
  a.numerator * b.denominator === b.numerator * a.denominator;

const WORDS = /([\d.]+) *-?for-? *([\d.]+)/i;

/**
 * Reads factors next to a ratio. IEX states a split of 7:1 as 1, 7 and 0.142857, Twelve Data one of
 * 4:1 as 4, 1 and 0.25: the ratio is of prices in both. Where it equals the factors, 4:1 may also be
 * meant as it stands, and only words tell.
 */
function factorShares(parts: Shares, ratio: Shares, words: string): ReturnType<typeof sharesOfRow> {
  if (isSameShares(inverse(parts), ratio)) return { shares: parts };
  if (!isSameShares(parts, ratio)) return { reason: 'ratio is not of the factors' };
  const [, newShares, oldShares] = WORDS.exec(words) ?? [];
  const told = newShares && splitOfShares(Number(newShares), Number(oldShares));
  const shares = told && [parts, inverse(parts)].find((one) => isSameShares(one, told));
  return shares
    ? { shares }
    : {
        reason: 'ratio and factors may mean a split or its reverse: give numerator and denominator',
      };
}

function readShares(text: string, name: string): ReturnType<typeof sharesOfRow> {
  if (text === '') return undefined;
  const shares = splitFromText(text);
  return shares ? { shares } : { reason: `${name} is not a ratio like 4, 4:1 or 0.25` };
}

function partsShares(numerator: string, denominator: string): ReturnType<typeof sharesOfRow> {
  if (numerator === '') return { reason: 'numerator is missing, and a split has one' };
  for (const [name, text] of Object.entries({ numerator, denominator })) {
    const value = Number(text);
    if (Number.isNaN(value)) return { reason: `${name} is not a number` };
    if (!(value > 0 && Number.isFinite(value))) return { reason: `${name} is not above 0` };
  }
  return { shares: splitOfShares(Number(numerator), Number(denominator)) };
}
