/** Notes of a load's report about what the store found while it loaded. */

import { limits } from '../../src/base/limits.ts';
import { dateFromDay } from '../../src/base/time/dates.ts';
import type { Served } from '../../src/store/arrow/read/served-bars.ts';
import type { MissingDividends } from '../../src/store/duckdb/load/missing-dividends.ts';
import type { Losing, LosingBars } from '../../src/store/duckdb/vintages/losing-bars.ts';
import type { Unserved } from '../../src/store/duckdb/vintages/unserved.ts';
import type { FetchedLoad } from './load-fetched.ts';

/** Sentences before and behind the lines of a kind, in the order of the report. */
const LISTED = {
  withdrawn: [
    'these stored actions count no more, since the new list of their symbols lacks them:',
    'If they are right, add them to the list, which must be complete for each of its symbols.',
  ],
  reused: [
    'the days before and after a hole are kept as two securities:',
    'State which is right; nothing has to be loaded again.',
  ],
  doubts: [
    'of {removals} notices of removal, {count} mean no security for certain, and have no effect:',
    'For one that ended trading, state symbols delist. Later directories may tell more.',
  ],
  short: [
    'these directories have less than half of the listings of the largest one of their list, so nothing that they lack has ended:',
    'If a list is whole, state what ended with symbols delist.',
  ],
  levels: [
    'these prices jump to another level and stay there, and no split is known that explains it:',
    'If it is a split, load it. If the bars are of two securities, give each a symbol of its own.',
  ],
  spikes: [
    'these prices go back after a few bars: they are twice those beside them or more, or a half, or 30 bars at most are by one factor off:',
    'If they are wrong, correct the file, or repair them: gaps --flags --fix FILE lists those of three times or more.',
  ],
  volumeSteps: [
    'these volumes may be in another unit, such as thousands, than those of the days before:',
    'If they are, state the unit in the header, as "Volume (000)", and load the file again.',
  ],
  repeats: [
    'these bars repeat a bar of the days before:',
    'The values from there on may be of other days, as where a block was pasted a row too low, or the source stood still: check them, and correct the file.',
  ],
  jumps: [
    'these adjusted prices go on without a common day at another level, as they would after a small split:',
    'If it is one, load a file that reaches back before this day: it mends the days before.',
  ],
} as const;

/** Returns the notes about the results of all batches. */
export function notesOf(results: readonly FetchedLoad[]): string[] {
  const removals = results.reduce((sum, one) => sum + (one.removals ?? 0), 0);
  const kinds = Object.keys(LISTED) as (keyof typeof LISTED)[];
  return [
    ...losingNotes(results.flatMap(({ losing = [] }) => losing)),
    ...unservedNotes(results.flatMap(({ unserved = [] }) => unserved)),
    ...missingNotes(results.flatMap(({ missingDividends = [] }) => missingDividends)),
    ...kinds.flatMap((kind) => {
      const shown = results.flatMap((result) => result[kind] ?? []);
      const [head, remedy] = LISTED[kind];
      const counted = head
        .replace('{removals}', `${removals}`)
        .replace('{count}', `${shown.length}`);
      return listedNotes([{ count: shown.length, shown }], counted, remedy);
    }),
  ];
}

function losingNotes(losing: readonly Losing[]): string[] {
  const outdated = losing.map((one) => one.outdated);
  const command = outdated.find(({ repair }) => repair)?.repair ?? 'SYMBOL DATE';
  return [
    ...listedNotes(
      losing.map(({ undecided }) => undecided),
      'these files are equally new, and have other values:',
      'To choose, touch the right file, or give --as-of with a later date, and load it again.',
    ),
    ...listedNotes(
      outdated,
      'these bars are stored and not served, since a newer file of the same source has other values:',
      `To correct single bars, use npx tapeworks repair ${command}. If a whole file of traded prices is right, give --as-of with a later date.`,
    ),
    ...listedNotes(
      losing.map(({ replaced }) => replaced),
      'these bars have other prices than in an older file, whose bars were served or are of this load:',
      'If the older file is right, load it again with --as-of and a later date.',
    ),
    ...listedNotes(
      losing.flatMap(({ repaired }) => repaired ?? []),
      'these bars are stored and not served, since a repair of the bar wins over all files:',
      'To serve that of the file, use npx tapeworks repair SYMBOL DATE --undo.',
    ),
  ];
}

/** Returns a note with the first bars between two sentences, if there are any. */
function listedNotes(
  all: readonly Pick<LosingBars, 'count' | 'shown'>[],
  head: string,
  remedy: string,
): string[] {
  const count = all.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return [];
  const shown = all.flatMap((one) => one.shown).slice(0, limits.store.undecidedShownMax);
  const more = count > shown.length ? [`  and ${count - shown.length} more`] : [];
  return [[head, ...shown.map((line) => `  ${line}`), ...more, remedy].join('\n')];
}

function missingNotes([first, ...others]: readonly MissingDividends[]): string[] {
  if (!first) return [];
  const { symbol, amount, date, periods } = first;
  const whose = others.length === 0 ? symbol : `${symbol} and ${others.length} more`;
  const times = periods === 1 ? '' : `, and ${periods - 1} times before`;
  return [
    `${whose}: statements declare dividends (${symbol} ${amount} a share in the period to ${date}${times}), ` +
      'and the list of dividends has none of these days: load them; until then, adjustment=all and yields lack them',
  ];
}

/** Names the dividends that the prices contradict, and did not before. */
export function unlikelyNotes(before: Served | null, after: Served | null): string[] {
  const known = new Set(before?.unlikely.map((one) => JSON.stringify(one)));
  const found = after?.unlikely.filter((one) => !known.has(JSON.stringify(one))) ?? [];
  if (!before || found.length === 0) return [];
  const [first, ...others] = found;
  const { symbol, exDay, amount } = first;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return [
    `the price does not fall as a dividend says (${symbol} ${amount} on ${dateFromDay(exDay)}${more}): ` +
      'it is in no yield, and in adjustment=all; gaps --flags lists it as unlikely-dividend',
  ];
}

function unservedNotes([first, ...others]: readonly Unserved[]): string[] {
  if (!first) return [];
  const count = others.reduce((sum, one) => sum + one.count, first.count);
  const { example, source, basis } = first;
  const symbols = count === 1 ? 'one symbol' : `${count} symbols`;
  const is = count === 1 ? 'is' : 'are';
  const isSame = example.basis === basis;
  const adjusted = isSame ? '' : ` and, if they are so adjusted, with --basis ${example.basis}`;
  const remedy =
    example.source === source
      ? ''
      : ` Bars of ${source} go on only in a file with five sessions in common that agree: load one with these${adjusted}.`;
  return [
    `${symbols} of this load ${is} stored and not served, as ${example.symbol}: ` +
      `its served bars are of ${example.source} (${example.basis}), these of ${source} (${basis}).${remedy} ` +
      `explain ${example.symbol} DATE shows more, and repair ${example.symbol} DATE corrects a served bar`,
  ];
}
