/** Symbols in parameters, resolved to those of the published data. */

import type { Mode } from '../../base/config/data-dir.ts';
import { HttpError, ParameterError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import { countUpTo } from '../../base/search-sorted.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import type { BarsSnapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { listedSymbol } from '../http/body-symbols.ts';

/**
 * Resolves a symbol of a path: any vendor's spelling, or a former ticker.
 *
 * @throws {ParameterError} The text can't be a symbol.
 * @throws {HttpError} 404: the published data of the mode does not have the symbol.
 */
export function knownSymbol(snapshot: BarsSnapshot, mode: Mode, text: string): string {
  const canonical = canonicalSymbol(text);
  const symbol = snapshot.resolve(canonical);
  if (symbol === undefined) {
    throw new HttpError(404, `Unknown symbol ${quoted(canonical)} in ${dataText(snapshot, mode)}`);
  }
  return symbol;
}

const EMPTY = {
  live: 'nothing is loaded yet',
  sandbox: 'the first start fills it within a minute',
};

/** Names the data of a mode; before the first publish, which every symbol is unknown to, says so. */
function dataText({ createdMs }: BarsSnapshot, mode: Mode): string {
  return `${mode} data${createdMs === 0 ? `, which is empty: ${EMPTY[mode]}` : ''}`;
}

/**
 * Parses a comma list of symbols, each in any vendor's spelling.
 *
 * @returns their canonical forms, each once, in the requested order.
 * @throws {ParameterError} `symbols`: one is no symbol, or there are more than `symbolsMax`.
 */
export function symbolsFromList(text: string, symbolsMax: number): string[] {
  const tickers = 'tickers like AAPL,BRK.B';
  const symbols = [...new Set(text.split(',').map((one) => symbolWithoutBlank(one, tickers)))];
  if (symbols.length > symbolsMax) {
    const count = `got ${symbols.length} different ones`;
    throw new ParameterError('symbols', `symbols must be 1 to ${symbolsMax} symbols, ${count}`);
  }
  return symbols;
}

/**
 * Returns the name of a universe that stands for symbols, as in `@sp500`.
 *
 * @throws {ParameterError} `symbols`: it does not stand alone.
 */
export function universeOfList(text: string): string | undefined {
  const parts = text.split(',').map((part) => part.trim());
  if (!parts.some((part) => part.startsWith('@'))) return undefined;
  if (parts.length === 1) return parts[0].slice(1).toLowerCase();
  const wanted = 'symbols must be tickers, or one universe alone, as @sp500';
  throw new ParameterError('symbols', `${wanted}, got ${quoted(text)}`);
}

/** @param parameter `as_of` as the request spells it. */
export function asOfUniverse(parameter: string, universe: string): ParameterError {
  return new ParameterError(
    'as_of',
    `${parameter} is for symbols and *, got "@${universe}": it gives what was served then, and the ` +
      'members that were known then are not kept. Give the members of the day as symbols: ' +
      `/v1/svc/universes/${universe}?as_of= lists them as they are known now`,
  );
}

/** In a query a plus sign is a blank: the warrant `TDW+B` must not become the class `TDW B`. */
function symbolWithoutBlank(text: string, wanted: string): string {
  if (!text.includes(' ')) return listedSymbol(text, 'symbols', wanted);
  throw new ParameterError('symbols', `symbols must be ${wanted}, got ${quoted(text)}`);
}

/** Returns the id of a symbol's security, by which a walk goes on when the symbol changes. */
export function securityOf(snapshot: BarsSnapshot, symbol: string): number {
  const { listings } = snapshot;
  return listings.securityId[countUpTo(listings.symbol, symbol) - 1];
}
