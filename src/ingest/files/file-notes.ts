/** Notes of a load about columns that a file lacks, or that were read in an unusual way. */

import { skippedGroups } from '../contract/skipped-notes.ts';
import { unreadNotes } from '../rows/unread-columns.ts';
import { NO_VOLUME } from '../values/volume-columns.ts';
import { plainName } from './columns.ts';
import type { CandleDialect } from './dialect.ts';

/** Notes on columns that are not read, and look like one that the file lacks. */
export function unreadColumnNotes({ header, columns, notes }: CandleDialect): string[] {
  if (columns.message !== undefined || columns.ticker !== undefined) return [];
  const lacking = [
    ...(notes.includes(NO_VOLUME) ? ['volume'] : []),
    ...(columns.symbol === undefined ? ['symbol'] : []),
  ];
  const known = new Set(Object.values(columns).map((at) => plainName(header[at])));
  return unreadNotes(header.map(plainName), known, new Map(lacking.map((name) => [name, name])));
}

/** Notes of the files of a segment. Files with the same note share a line. */
export function inputNotes(inputs: readonly { name: string; dialect: CandleDialect }[]): string[] {
  const noted = inputs.flatMap(({ name, dialect }) =>
    dialect.notes.map((reason) => ({ name, reason })),
  );
  return skippedGroups(noted).map(({ text }) => text);
}
