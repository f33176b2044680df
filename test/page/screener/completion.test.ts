/** Completions of the language of screens, over the catalogue that the API serves. */

import { describe, expect, it } from 'vitest';
import { trimmedList } from '../../../src/base/split-list.ts';
import { completionAt, isComplete, vocabulary } from '../../../src/page/screener/completion.ts';
import { EXAMPLES } from '../../../src/page/screener/examples.ts';
import { compileScreen } from '../../../src/screens/plan/compile.ts';
import { useFixtureServer } from '../../api/support/fixture-server.ts';

const fixture = useFixtureServer();

type Catalogue = Parameters<typeof vocabulary>[0];

async function catalogue(): Promise<Catalogue> {
  const { json } = await fixture.server.get('/v1/svc/indicators');
  return (json as { data: Catalogue }).data;
}

/** Texts that complete what is before the caret, `|`. */
async function textsAt(text: string): Promise<string[]> {
  const indicators = await catalogue();
  const caret = text.indexOf('|');
  const whole = text.replace('|', '');
  const found = completionAt(whole, caret, vocabulary(indicators), indicators);
  return found?.suggestions.map((one) => one.text) ?? [];
}

describe('vocabulary', () => {
  it('has words that the language accepts, each once', async () => {
    const words = vocabulary(await catalogue()).filter(({ kind }) => kind !== 'word');
    expect(words.length).toBeGreaterThan(100);
    for (const { text } of words) expect(() => compileScreen({ columns: text })).not.toThrow();
    const names = words.map(({ text }) => text.split('(', 1)[0]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('selects the parameters of a call', async () => {
    const sma = vocabulary(await catalogue()).find(({ text }) => text.startsWith('sma('));
    expect(sma?.text.slice(...(sma.selected ?? []))).toBe('14');
  });
});

describe('completionAt', () => {
  it.each([
    ['close > sm|', 'sma(14)'],
    ['mark|', 'market_cap'],
    ['close crosses ab|', 'abs(change(close))'],
    ['close cr|', 'crosses above'],
    ['bollinger(20, 2).|', 'lower'],
    ['bollinger.up|', 'upper'],
    ['RS|', 'rsi(14)'],
    ['(sma|(20) > close)', 'sma(14)'],
  ])('completes %s', async (text, expected) => {
    expect(await textsAt(text)).toContain(expected);
  });

  it.each(['', 'close > 1|', "sector = 'cl|", 'close |', 'rsi(14).x|', 'zzzz|'])(
    'completes nothing in "%s"',
    async (text) => {
      expect(await textsAt(text)).toEqual([]);
    },
  );

  it('puts names before words of the description', async () => {
    expect((await textsAt('clo|'))[0]).toBe('close');
  });
});

it('takes a whole word as complete, with or without its call', async () => {
  const indicators = await catalogue();
  const words = vocabulary(indicators);
  const complete = (text: string) => {
    const found = completionAt(text, text.length, words, indicators);
    return found && isComplete(text, found);
  };
  expect([complete('close'), complete('sma'), complete('sm')]).toEqual([true, true, false]);
});

it('offers examples that the language accepts', () => {
  for (const { where, columns } of EXAMPLES) {
    expect(() => compileScreen(columns ? { where, columns } : { where })).not.toThrow();
  }
});

describe('trimmedList', () => {
  it.each([
    ['sma(50), volume / avg(volume, 20)', ['sma(50)', 'volume / avg(volume, 20)']],
    [' a ,, b,', ['a', 'b']],
    ["sector in ('a,b', \"c'd\"),x", ["sector in ('a,b', \"c'd\")", 'x']],
    ['', []],
  ])('splits %s', (text, parts) => {
    expect(trimmedList(text)).toEqual(parts);
  });
});
