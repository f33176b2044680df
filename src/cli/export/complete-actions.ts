/** Tells how exported splits and dividends load again, as their rows can't state that no more are known. */

import { barInfo } from '../../api/routes/candles/served-bars.ts';
import { firstNames } from '../../api/routes/candles/symbols.ts';
import { actionsOf } from '../../api/routes/corporate-actions/route.ts';
import { knowsDividends, knowsSplits } from '../../base/prices/action-coverage.ts';
import type { BarsSnapshot } from '../../store/arrow/snapshot/snapshot.ts';

/** Above this, all symbols without actions are meant, if all of them are complete. */
const LISTED_MAX = 20;

/** Returns a note on the file of some symbols; undefined if a plain load of it says the same. */
export function noteOnActions(
  snapshot: BarsSnapshot,
  symbols: readonly string[],
  path: string,
): string | undefined {
  const actions = symbols.flatMap((symbol) => actionsOf(snapshot, symbol));
  const stated = new Set(actions.map(({ symbol }) => symbol));
  const infos = symbols.flatMap((symbol) => barInfo(snapshot, symbol) ?? []);
  const isComplete = Map.groupBy(infos, (info) => knowsSplits(info) && knowsDividends(info));
  const namesOf = (complete: boolean, hasActions: boolean) =>
    (isComplete.get(complete) ?? [])
      .map(({ symbol }) => symbol)
      .filter((symbol) => stated.has(symbol) === hasActions);
  const open = namesOf(false, true);
  if (open.length > 0) {
    return (
      `splits or dividends of ${firstNames(open)} are not known for all days of their bars, but a ` +
      'load of this file takes its lists for complete: export them apart with --symbols, and load ' +
      'that file with --from and --to of the days that are known'
    );
  }
  const none = namesOf(true, false);
  const types = new Set(actions.map(({ type }) => type === 'split'));
  const isShort = none.length <= LISTED_MAX || namesOf(false, false).length > 0;
  const flags = [
    ...(types.size === 1 ? ['--complete'] : []),
    ...(none.length > 0 ? [`--complete-for ${isShort ? none.join(',') : "'*'"}`] : []),
  ];
  if (flags.length === 0) return undefined;
  return (
    'rows do not say that there are no other splits and dividends; load the file again with ' +
    `npx tapeworks backfill files corporate-actions ${path} ${flags.join(' ')}`
  );
}
