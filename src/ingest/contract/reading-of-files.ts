/** Readings of files: their meaning and the facts for it, for reports, the store and `--plan`. */

import { countText } from '../../base/count-text.ts';

/** An answer of a reading: a phrase, and the facts that decided; none where a default was taken. */
export interface StatedAnswer {
  words: string;
  facts: readonly string[];
}

/** Answers by aspect: `interval`, `symbol`, `basis`, `dates`, `zone`, … in the order of the text. */
export type StatedReading = Readonly<Record<string, StatedAnswer>>;

/** One reading, and the files that have it. */
export interface ReadingOfFiles {
  files: number;
  /** Name of the first of them. */
  first: string;
  symbols: number;
  /** The symbol, if there is one. */
  symbol: string | null;
  reading: StatedReading;
}

/** Joins the readings of several loads: those that are alike become one. */
export function joinReadings(all: readonly ReadingOfFiles[]): ReadingOfFiles[] {
  const groups = Map.groupBy(all, ({ reading }) => JSON.stringify(reading));
  return [...groups.values()].map((alike) => ({
    ...alike[0],
    files: sum(alike.map(({ files }) => files)),
    symbols: sum(alike.map(({ symbols }) => symbols)),
    symbol: alike.length === 1 ? alike[0].symbol : null,
  }));
}

/** `prices.csv: daily bars of 3 symbols from the column "tic", traded prices, dates as written`. */
export function readingOfFilesText({ files, first, symbols, symbol, reading }: ReadingOfFiles) {
  const more = files > 1 ? ` and ${countText(files - 1)} more` : '';
  const whose = symbol ?? `${countText(symbols)} ${symbols === 1 ? 'symbol' : 'symbols'}`;
  return `${first}${more}: ${readingText(reading, whose)}`;
}

/** `daily bars of AAPL by the name of the file, split-adjusted prices (no jump at …), US dollars`. */
export function readingText(reading: StatedReading, whose?: string): string {
  const { interval, symbol, ...others } = reading;
  const head = [
    interval && answerText(interval),
    whose && `of ${whose}`,
    symbol && answerText(symbol),
  ].filter(Boolean);
  const texts = [head.join(' '), ...Object.values(others).map(answerText)];
  return texts.filter((text) => text !== '').join(', ');
}

function answerText({ words, facts }: StatedAnswer): string {
  return facts.length === 0 ? words : `${words} (${facts.join('; ')})`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
