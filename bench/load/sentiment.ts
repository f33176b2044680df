/**
 * Share of labelled sentences whose sentiment is right, in ten folds: `node
 * bench/load/sentiment.ts`.
 *
 * The sentences serve only for measuring; without them the benchmark says so. The word list is not
 * fitted to them, so every fold measures the same rules. Only the most frequent label, the
 * baseline, is learned from the other nine folds. Equal sentences are in one fold.
 */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { SENTIMENTS } from '../../src/base/datasets/market.ts';
import { type Sentiment, sentimentOfText } from '../../src/ingest/rows/sentiment.ts';
import { realdata } from '../../test/support/realdata.ts';
import { checkResult, tableFromRows } from '../harness.ts';

const FOLDS = 10;
/** Standard errors within which 95 % of a normal distribution lie. */
const DEVIATIONS = 1.96;

interface Labelled {
  Sentence: string;
  Sentiment: Sentiment;
}

const path = realdata('news/labelled_sentences.csv');

/** The same fold on every machine and in any order of sentences. */
function foldOf({ Sentence }: Labelled): number {
  return createHash('sha256').update(Sentence).digest().readUInt32BE() % FOLDS;
}

function mostFrequent(rows: readonly Labelled[]): Sentiment {
  const count = (label: Sentiment) => rows.filter((row) => row.Sentiment === label).length;
  return SENTIMENTS.reduce((best, label) => (count(label) > count(best) ? label : best));
}

const isRight = ({ Sentence, Sentiment }: Labelled) => sentimentOfText(Sentence) === Sentiment;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function shareText(right: number, total: number): string {
  const share = right / total;
  const error = DEVIATIONS * Math.sqrt((share * (1 - share)) / total);
  return `${percent(share)} ± ${(100 * error).toFixed(1)}`;
}

if (!existsSync(path)) console.log('skipped: the labelled sentences are not at hand');
else {
  const labelled: Labelled[] = parse(readFileSync(path), { columns: true });
  const folds = Map.groupBy(labelled, foldOf);
  let baselineRight = 0;
  const rows = [...folds]
    .sort(([a], [b]) => a - b)
    .map(([fold, held]) => {
      const others = labelled.filter((row) => foldOf(row) !== fold);
      const label = mostFrequent(others);
      const baseline = held.filter((row) => row.Sentiment === label).length;
      baselineRight += baseline;
      const right = held.filter(isRight).length;
      return [
        String(fold + 1),
        String(held.length),
        percent(right / held.length),
        `${percent(baseline / held.length)} (${label})`,
      ];
    });
  console.log(tableFromRows(['fold', 'sentences', 'right', 'most frequent label'], rows));
  const right = labelled.filter(isRight).length;
  console.log(
    `\nall ${labelled.length}: ${shareText(right, labelled.length)} right, ` +
      `${shareText(baselineRight, labelled.length)} by the most frequent label of the other folds`,
  );
  for (const label of SENTIMENTS) {
    const own = labelled.filter((row) => row.Sentiment === label);
    console.log(`${label}: ${own.filter(isRight).length} of ${own.length} found`);
  }
  checkResult(right > baselineRight, 'the most frequent label is right more often');
}
