import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { SENTIMENTS } from '../../../src/base/datasets/market.ts';
import { sentimentOf, sentimentOfText } from '../../../src/ingest/rows/sentiment.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';

describe('sentiment', () => {
  it.each([
    ['Acme raises its outlook after a strong quarter', 'positive'],
    ['Acme shares plunge on profit warning', 'negative'],
    ['Acme will report on Thursday', 'neutral'],
    ['Operating profit rose to EUR 13.1 mn', 'positive'],
    ['Operating profit fell to EUR 13.1 mn', 'negative'],
    ['Costs fell sharply', 'positive'],
    ['Acme cuts costs', 'positive'],
    ['Acme cuts its dividend', 'negative'],
    ['Losses widened in the fourth quarter', 'negative'],
    ['The loss narrowed to EUR 2 mn', 'positive'],
    ['Acme is not profitable', 'negative'],
    ["Acme doesn't expect a strong year", 'negative'],
    ['Profit was EUR 2.1 mn, compared to a loss of EUR 1 mn', 'neutral'],
    ['The vice president shared an interest in crude debt securities', 'neutral'],
    ['Shares rose slightly', 'positive'],
    ['Bankruptcy; nothing more', 'negative'],
    ['constructor toString __proto__', 'neutral'],
    ['', 'neutral'],
  ])('of "%s" is %s', (text, sentiment) => expect(sentimentOfText(text)).toBe(sentiment));

  it('is the headline’s if it has one, else the summary’s', () => {
    expect(sentimentOf('Acme sinks', 'Yet analysts are bullish.')).toBe('negative');
    expect(sentimentOf('Acme reports', 'Analysts are bullish.')).toBe('positive');
    expect(sentimentOf('Acme reports', null)).toBe('neutral');
  });
});

/** Labels are for measuring only. No rating was chosen by them, and none may be. */
describe.skipIf(!hasRealdata)('sentiment of labelled sentences', () => {
  const labelled: { Sentence: string; Sentiment: string }[] = hasRealdata
    ? parse(readFileSync(realdata('news/labelled_sentences.csv')), { columns: true })
    : [];

  it('is right more often than always saying neutral', () => {
    const right = labelled.filter((row) => sentimentOfText(row.Sentence) === row.Sentiment).length;
    const majority = Math.max(
      ...SENTIMENTS.map((label) => labelled.filter((row) => row.Sentiment === label).length),
    );
    expect(labelled).toHaveLength(584);
    expect(right).toBeGreaterThan(majority);
  });
});
