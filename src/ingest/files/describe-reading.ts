/** States how each file was read. */

import { BAR_NAMES } from '../../base/time/intervals.ts';
import type { CandleFile } from '../../store/duckdb/connection/candle-segment.ts';
import { ASPECTS, type Aspect, type Reading } from '../contract/reading.ts';
import type { ReadingOfFiles, StatedAnswer, StatedReading } from '../contract/reading-of-files.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import type { CandleInput } from './prepare.ts';

/** Returns the answers of a file, with the default of each question that no fact decided. */
export function readingOfFile(
  { dialect, stamps }: Pick<CandleInput, 'dialect' | 'stamps'>,
  options: Pick<SourceOptions, 'symbol'>,
): StatedReading {
  const { dateFormat, columns } = dialect;
  const defaults: Partial<Record<Aspect, string>> = {
    interval: `${BAR_NAMES[stamps?.interval ?? '1d']} bars`,
    symbol: symbolWords(dialect, options),
    currency: 'US dollars',
    ...(dialect.form === 'csv' && { decimals: 'decimal point' }),
    volume: columns.volume === undefined ? 'no volume' : 'volume in shares',
    ...(stamps
      ? {
          zone: `${stamps.zone} time`,
          stamps: `stamped at the ${stamps.isAtEnd ? 'end' : 'start'}`,
        }
      : { dates: dateFormat === 'epoch' ? 'dates of UTC' : 'dates as written' }),
  };
  // The zone that a file states is that of its times.
  const found: Reading = stamps
    ? { ...dialect.reading, ...stamps.reading }
    : { ...dialect.reading, zone: undefined, stamps: undefined };
  const entries = ASPECTS.flatMap((aspect): [Aspect, StatedAnswer][] => {
    const answer = found[aspect];
    if (answer?.words) return [[aspect, { words: answer.words, facts: answer.facts }]];
    const words = defaults[aspect];
    return words === undefined ? [] : [[aspect, { words, facts: [] }]];
  });
  return Object.fromEntries(entries);
}

function symbolWords(
  { columns, header }: CandleInput['dialect'],
  options: Pick<SourceOptions, 'symbol'>,
): string {
  const column = columns.symbol ?? columns.ticker;
  if (column !== undefined) return `from the column "${header[column]}"`;
  return options.symbol === undefined ? 'by the name of the file' : 'by --symbol';
}

/** @param files Files of the segments of these inputs, one for each symbol. */
export function readingsOfFiles(
  inputs: readonly CandleInput[],
  files: readonly Pick<CandleFile, 'path' | 'symbol' | 'dataLines'>[],
  options: Pick<SourceOptions, 'symbol'>,
): ReadingOfFiles[] {
  const byPath = Map.groupBy(files, ({ path }) => path);
  const alike = Map.groupBy(inputs, (input) => JSON.stringify(readingOfFile(input, options)));
  return [...alike].flatMap(([reading, group]) => {
    const symbols = new Set(
      group.flatMap(({ name }) =>
        (byPath.get(name) ?? []).flatMap((file) => (file.dataLines > 0 ? [file.symbol] : [])),
      ),
    );
    if (symbols.size === 0) return [];
    const [symbol] = symbols;
    return {
      ...{ files: group.length, first: group[0].name, symbols: symbols.size },
      symbol: symbols.size === 1 ? symbol : null,
      reading: JSON.parse(reading) as StatedReading,
    };
  });
}
