/** Writes what other languages and browsers need of the datasets: `node .ci/datasets.ts`. */

import { writeFileSync } from 'node:fs';
import { datasets } from '../src/base/datasets/datasets.ts';
import {
  figuresOf,
  type StatementView,
  statementDatasets,
  statementViews,
} from '../src/base/datasets/statement.ts';
import { CANONICAL, JOINED } from '../src/base/symbols/spellings.ts';
import { MARKET_BEFORE, MARKET_BEHIND } from '../src/base/symbols/us-markets.ts';
import { canonicalSymbol, MIXED, RULES, symbolOrFault } from '../src/base/symbols.ts';

const NOTE = 'Written by `node .ci/datasets.ts`; never edited.';

/** Returns the module of the page, which has room for names and titles only. */
function pageText(): string {
  const titles = Object.fromEntries(datasets.map(({ name, title }) => [name, title]));
  return `/** Datasets for forms and tables. ${NOTE} */

// biome-ignore-all format: one value a line.
// biome-ignore-all lint/complexity: as JSON.

/** A line, whose amounts are in US dollars by default. */
export interface StatementLine {
  field: string;
  title: string;
  isPerShare?: boolean;
  isFraction?: boolean;
  isPlain?: boolean;
  isSum?: boolean;
}

/** Statements of companies, with the lines of their tables. */
export const STATEMENTS: readonly {
  noun: string;
  title: string;
  lines: readonly StatementLine[];
  bars: readonly string[];
}[] = ${jsonText(statementViews.map(pageStatement))};

/** Titles of the datasets that files may hold. */
export const DATASET_TITLES: Readonly<Record<string, string>> = ${jsonText(titles)};
`;
}

function pageStatement(dataset: StatementView) {
  const figures = figuresOf(dataset);
  return {
    noun: dataset.name,
    title: dataset.statement.title,
    lines: figures.map(({ name, shown: { title, unit, isTotal } }) => ({
      field: name,
      title,
      isPerShare: unit === 'usdPerShare' || undefined,
      isFraction: unit === 'fraction' || undefined,
      isPlain: unit === 'ratio' || unit === 'count' || undefined,
      isSum: isTotal,
    })),
    bars: figures.filter(({ shown }) => shown.isDrawn).map(({ name }) => name),
  };
}

/** Writes each value of a list or an object on a line. */
function jsonText(value: object): string {
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines = Object.entries(value).map(([name, one]) => {
    return `  ${open === '[' ? '' : `${JSON.stringify(name)}: `}${JSON.stringify(one)},`;
  });
  return [open, ...lines, close].join('\n');
}

/** Returns the module of the Python package. */
function pythonText(): string {
  const figures = statementViews.map((dataset) => {
    const names = figuresOf(dataset).map(({ name }) => `        "${name}",`);
    return [`    "${dataset.name}": (`, ...names, '    ),'].join('\n');
  });
  const ofMoment = statementDatasets.filter(({ statement }) => statement.isOfMoment);
  const moments = ofMoment.map(({ name }) => `"${name}"`).join(', ');
  return `"""Statements of companies. ${NOTE.replaceAll('`', '``')}"""

from __future__ import annotations

FIGURES = {
${figures.join('\n')}
}
"""Figures of each statement, in the order of its rows."""

OF_MOMENT = (${moments},)
"""Statements of a moment: twelve months have those of the newest quarter."""
`;
}

/**
 * Returns the spellings of tickers for the Python package. A rule has the letters that are read with
 * it: other ones are exchanges, or may be two securities.
 */
function spellingText(): string {
  const rules = RULES.flatMap(({ kind, template, pattern }) => {
    const canonical = CANONICAL[kind];
    const isSmall = template.includes('%') || template === '_@';
    const letters = LETTERS.filter((letter) => {
      const own = isSmall && !template.includes('p') ? letter.toLowerCase() : letter;
      const spelled = template.replace('@', own).replace('%', letter.toLowerCase());
      const text = `${template === '_@' ? 'abc' : 'ABC'}${spelled}`;
      const found = symbolOrFault(() => canonicalSymbol(text));
      return 'symbol' in found && found.symbol === `ABC${canonical.replace('@', letter)}`;
    });
    if (letters.length === 0) return [];
    const set = letters.length === LETTERS.length ? 'A-Z' : letters.join('');
    const text = pattern.source
      .slice(1)
      .replace('([A-Z])', `([${set}])`)
      .replace('([a-z])', `([${set.toLowerCase()}])`)
      .replaceAll('\\/', '/');
    return [`    (r"${text}", "${canonical.replace('@', '{}')}"),`];
  });
  const pattern = ({ source }: RegExp) => `r"${source.replaceAll('\\/', '/')}"`;
  return `"""Spellings of what stands behind the root of a ticker. ${NOTE.replaceAll('`', '``')}"""

from __future__ import annotations

SUFFIXES = [
${rules.join('\n')}
]
"""Patterns with the canonical spelling; the first one that fits decides."""

MARKET = ${pattern(MARKET_BEHIND)}
EXCHANGE = ${pattern(MARKET_BEFORE)}
MIXED = ${pattern(MIXED)}
JOINED = ${pattern(JOINED)}
`;
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Returns the text of each written file, by its path below the repository's root. */
export function datasetTexts(): Record<string, string> {
  return {
    'src/page/parts/datasets.ts': pageText(),
    'clients/python/tapeworks/statements.py': pythonText(),
    'clients/python/tapeworks/suffixes.py': spellingText(),
  };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(datasetTexts())) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
    console.log(`wrote ${path}`);
  }
}
