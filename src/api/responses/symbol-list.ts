/** Lists of symbols in parameters. */

import { ParameterError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import { canonicalSymbol } from '../../base/symbols.ts';

/**
 * @param text Comma-separated symbols, each in any vendor's spelling.
 * @returns their canonical forms, each once, in the order asked.
 * @throws {ParameterError} `symbols`: one is no symbol, or there are more than `symbolsMax`.
 */
export function symbolsFromList(text: string, symbolsMax: number): string[] {
  const symbols = [...new Set(text.split(',').map(listedSymbol))];
  if (symbols.length > symbolsMax) {
    const count = `got ${symbols.length} different ones`;
    throw new ParameterError('symbols', `symbols must be 1 to ${symbolsMax} symbols, ${count}`);
  }
  return symbols;
}

function listedSymbol(text: string): string {
  try {
    return canonicalSymbol(text);
  } catch (cause) {
    throw new ParameterError(
      'symbols',
      `symbols must be tickers like AAPL,BRK.B, got ${quoted(text)}`,
      {
        cause,
      },
    );
  }
}
