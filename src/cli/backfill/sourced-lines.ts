/** Lines of `backfill any`: the source of each symbol, and the reasons of the sources before it. */

import type { SourcedSymbol, SourceTry } from '../../ingest/contract/fetch-context.ts';

/** Bounds of the lists; `--json` has all entries. */
const GROUPS_SHOWN = 4;
const SYMBOLS_SHOWN = 8;

/** Symbols with the same source, and the same outcomes before it, share their lines. */
export function sourcedLines(sourced: readonly SourcedSymbol[]): string[] {
  const groups = [...Map.groupBy(sourced, groupOf).values()];
  const more = groups.length - GROUPS_SHOWN;
  return [
    ...groups.slice(0, GROUPS_SHOWN).flatMap(groupLines),
    ...(more > 0 ? [`and ${more} more groups of symbols (--json)`] : []),
  ];
}

function groupOf({ source, isUpToDate, tried }: SourcedSymbol): string {
  return JSON.stringify([source, isUpToDate, tried.map((one) => [one.source, one.outcome])]);
}

function groupLines(group: readonly SourcedSymbol[]): string[] {
  const [{ source, isUpToDate, tried }] = group;
  const more = group.length - SYMBOLS_SHOWN;
  const names = group.slice(0, SYMBOLS_SHOWN).map(({ symbol }) => symbol);
  const list = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const from = source === null ? 'from no source' : `from ${source}`;
  return [`${from}: ${list}${isUpToDate ? ' (up to date)' : ''}`, ...triedLines(tried)];
}

function triedLines(tried: readonly SourceTry[]): string[] {
  const isLacking = ({ outcome }: SourceTry) => outcome === 'not configured';
  const lacking = tried.filter(isLacking).map(({ message }) => message);
  return [
    ...tried
      .filter((one) => !isLacking(one))
      .map(({ source, outcome, message }) => `  ${source}, ${outcome}: ${message}`),
    ...(lacking.length > 0 ? [`  not configured: ${lacking.join('; ')}`] : []),
  ];
}
