/** Loads the symbols of a segment that no sanity check holds, and leaves out the others. */

import { type AwaitedBar, HeldLoadError, type HeldSymbol } from '../../src/base/errors.ts';
import type { FetchedSegment } from '../../src/ingest/contract/fetch-context.ts';
import { type Choice, examinedOnce, isChosen, partOf, symbolsOf } from './segment-part.ts';

interface PartLoad {
  /** Parts that earlier loads have stored. */
  parts: readonly Choice[];
  load(segment: FetchedSegment): Promise<void>;
  /** Called after a part is loaded. */
  loaded(choice: Choice): Promise<void>;
}

export interface PartsHeld {
  symbols: HeldSymbol[];
  /** Symbols of the input that are loaded. */
  loadedCount: number;
  reason: string;
  /** Their new bars, as the store names the symbols. */
  awaited: AwaitedBar[];
}

/**
 * Loads the symbols of a segment that are not loaded yet. Loaded parts come first: a newer
 * modification time of their files may change which bars are served.
 *
 * @returns the symbols that are held; undefined if none is.
 * @throws {HeldLoadError} the whole segment is held, and nothing of it is stored.
 */
export async function loadParts(
  whole: FetchedSegment,
  { parts, load, loaded }: PartLoad,
): Promise<PartsHeld | undefined> {
  const segment = examinedOnce(whole);
  for (const choice of parts) await load(partOf(segment, choice));
  const all = symbolsOf(segment);
  let open = [...all].filter((symbol) => !parts.some((choice) => isChosen(choice, symbol)));
  const held: HeldSymbol[] = [];
  const reasons: string[] = [];
  const awaited: AwaitedBar[] = [];
  while (open.length > 0) {
    const isWhole = open.length === all.size;
    const choice = choiceOf(open, held, parts.length === 0);
    try {
      await load(isWhole ? segment : partOf(segment, choice));
      if (!isWhole) await loaded(choice);
      break;
    } catch (error) {
      if (!(error instanceof HeldLoadError)) throw error;
      if (isWhole && !error.isPartial) throw error;
      reasons.push(error.message);
      awaited.push(...error.awaited);
      const names = new Set(error.symbols.map(({ symbol }) => symbol));
      // All that is left is held.
      if (!error.isPartial || names.size === 0) {
        held.push(...open.map((symbol) => ({ symbol, reason: error.message })));
        open = [];
      } else {
        held.push(...error.symbols);
        open = open.filter((symbol) => !names.has(symbol));
      }
    }
  }
  if (held.length === 0) return undefined;
  const reason = reasons.join('; ');
  if (held.length === all.size) throw new HeldLoadError(reason, { awaited });
  return { symbols: held, loadedCount: all.size - held.length, reason, awaited };
}

/** A first part leaves out the held symbols, which are few; a later one names its own. */
function choiceOf(open: readonly string[], held: readonly HeldSymbol[], isFirst: boolean): Choice {
  return isFirst
    ? { isOnly: false, symbols: held.map(({ symbol }) => symbol) }
    : { isOnly: true, symbols: [...open] };
}
