/** Old and new shares of a row of a corporate-actions file, in any usual spelling. */

import { type Shares, splitOfShares } from '../values/split-ratio.ts';
import { splitFromText } from '../values/split-text.ts';

export type SplitKind = 'split' | 'forward' | 'reverse' | 'stock dividend';

/** Texts of the columns of a row; empty where there is none. */
interface ShareTexts {
  numerator: string;
  denominator: string;
  ratio: string;
}

/**
 * Reads the ratio of a split, which a column `ratio`, the numerator alone, or numerator and
 * denominator state. A stock dividend below 1 is the part that is added: 0.05 is 21:20.
 *
 * @returns undefined if the row states none; else the reason to refuse it.
 */
export function sharesOfRow(
  kind: SplitKind,
  texts: ShareTexts,
): { shares: Shares } | { reason: string } | undefined {
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

function statedShares({
  numerator,
  denominator,
  ratio,
}: ShareTexts): ReturnType<typeof sharesOfRow> {
  const fromRatio = readShares(ratio, 'ratio');
  const fromParts =
    denominator === '' ? readShares(numerator, 'numerator') : partsShares(numerator, denominator);
  if (!fromRatio || !fromParts) return fromRatio ?? fromParts;
  if ('reason' in fromRatio || 'reason' in fromParts)
    return 'reason' in fromRatio ? fromRatio : fromParts;
  const isSame =
    fromRatio.shares.numerator === fromParts.shares.numerator &&
    fromRatio.shares.denominator === fromParts.shares.denominator;
  return isSame ? fromRatio : { reason: 'ratio is not numerator and denominator' };
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
