/** Commands that read filings again which older rules have read. Pure. */

import type { OutdatedLoad } from '../../../store/duckdb/rows/outdated-loads.ts';

const SET = /\/(\d{4}q[1-4])\.zip(?: of (\S.*?))?(?: \(in part\))?$/;
const BULK = /[/\\]scratch[/\\]sec[/\\](?:companyfacts|submissions)\.zip/;
const SAMPLE = /[/\\]vendors[/\\]sec[/\\]sample[/\\]files$/;
const ADDRESS = /^https?:/;

/** Symbols for which single requests are fewer bytes than the zips of all companies. */
const ASKED_MAX = 500;

/** Returns the commands, each once: sets as one range of quarters, then the others. */
export function repeatCommands(loads: readonly OutdatedLoad[]): string[] {
  const quarters: string[] = [];
  const symbols = new Set<string>();
  const ofSome = new Set<string>();
  const others = new Set<string>();
  for (const { origin, symbols: own } of loads) {
    const set = SET.exec(origin);
    if (set && ADDRESS.test(origin)) {
      if (set[2] === undefined) quarters.push(set[1]);
      else ofSome.add(`--statements ${set[1]} --symbols ${set[2].replaceAll(', ', ',')}`);
    } else if (ADDRESS.test(origin)) for (const symbol of own) symbols.add(symbol);
    else if (BULK.test(origin)) others.add('--bulk');
    else if (SAMPLE.test(origin)) others.add('--sample');
    else others.add(origin.split(', ').map(quoted).join(' '));
  }
  const asked = [...symbols].sort();
  const answers = [
    ...(quarters.length > 0 ? [`--statements ${rangeOf(quarters)}`] : []),
    ...ofSome,
    ...(asked.length > ASKED_MAX ? ['--bulk'] : []),
    ...(asked.length > 0 && asked.length <= ASKED_MAX ? [`--symbols ${asked.join(',')}`] : []),
    ...others,
  ];
  return [...new Set(answers)].map((answer) => `tapeworks backfill sec ${answer}`);
}

/** Quarters between that are up to date are not read again. */
function rangeOf(quarters: readonly string[]): string {
  const sorted = quarters.toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)!];
  return first === last ? first : `${first}..${last}`;
}

const quoted = (path: string) => (/[^\w./-]/.test(path) ? `'${path}'` : path);

/** Sentence for people; undefined if there are no such loads. */
export function repeatText(loads: readonly OutdatedLoad[]): string | undefined {
  if (loads.length === 0) return undefined;
  const symbols = new Set(loads.flatMap((load) => load.symbols));
  const count = symbols.size === 1 ? [...symbols][0] : `${symbols.size} symbols`;
  return `statements of ${count} were made by older rules: run ${repeatCommands(loads).join('; ')}`;
}
