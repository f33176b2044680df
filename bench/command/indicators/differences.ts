/** Known differences of definitions, from the table of docs/indicators.md. */

import { readFileSync } from '../../../src/base/world/files.ts';

/** Libraries of the table, by the names under which peers run. */
const COLUMNS: Readonly<Record<string, string>> = {
  'TA-Lib': 'TA-Lib',
  'polars-talib': 'TA-Lib',
  'pandas-ta-classic': 'pandas-ta',
};

/** By peer and indicator, the text of the table; `same` and missing ones are left out. */
export type Differences = ReadonlyMap<string, string>;

export function differenceKey(program: string, indicator: string): string {
  return `${program} ${indicator}`;
}

/** Reads the differences of the table. */
export function differencesFromText(text: string): Differences {
  return new Map([...cellsFromText(text)].filter(([, cell]) => cell !== 'same' && cell !== '–'));
}

/** Reads every cell of a driven library in the table under "Differences to other libraries". */
export function cellsFromText(text: string): Differences {
  const section = text.split(/^## Differences to other libraries$/m)[1]?.split(/^## /m)[0] ?? '';
  const [header = [], , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const found = new Map<string, string>();
  for (const [names, ...cells] of rows) {
    for (const [, name] of names.matchAll(/`(\w+)`/g)) {
      for (const [program, column] of Object.entries(COLUMNS)) {
        const cell = cells[header.indexOf(column) - 1];
        if (cell) found.set(differenceKey(program, name), cell);
      }
    }
  }
  return found;
}

/** Reads the table of this version, which the package has too. */
export function knownDifferences(): Differences {
  for (const root of ['../../..', '../../../..']) {
    const url = new URL(`${root}/docs/indicators.md`, import.meta.url);
    try {
      return differencesFromText(readFileSync(url, 'utf8'));
    } catch (error) {
      // Compiled files lie one folder deeper than their sources.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return new Map();
}
