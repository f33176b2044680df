/** Notes of a load about columns that a file lacks, or that were read in an unusual way. */

import { skippedGroups } from '../contract/skipped-notes.ts';
import { unreadNotes } from '../rows/unread-columns.ts';
import { NO_VOLUME, VOLUME_WORDS } from '../values/volume-columns.ts';
import { type ColumnRole, plainName, ZONE_NAME } from './columns.ts';
import type { CandleDialect } from './dialect.ts';

/** Names of a length of bars: `Bar Size`, `candle_type`, `Periodicity`. */
const LENGTH_NAME =
  /^(?:(?:bar|candle)?(?:period|interval|timeframe|frame|frequency|periodicity|timespan)|(?:bar|candle)(?:length|size))$/;

/** Columns that look like one that is read, by their plain name, and the name or option to give. */
const LOOKALIKES: readonly {
  role: ColumnRole | 'basis' | 'zone' | 'class';
  looks: RegExp;
  advice: string;
}[] = [
  {
    role: 'dividend',
    looks: /^(?!.*yield)(.*div(idend)?s?|dividend.*|dps)$/,
    advice: 'name it Dividends',
  },
  { role: 'split', looks: /^split(?!.*adj)|splits?$/, advice: 'name it Stock Splits' },
  { role: 'volume', looks: /^size$|^(?:trade|total|last)size$/, advice: 'name it volume' },
  {
    role: 'basis',
    looks: /^adj|adjusted|^splitadj/,
    advice: 'say with --basis what the prices are',
  },
  { role: 'period', looks: LENGTH_NAME, advice: 'name it interval' },
  { role: 'zone', looks: ZONE_NAME, advice: 'say it with --zone' },
  // CRSP's tickers of both classes of Lennar are LEN.
  {
    role: 'class',
    looks: /^(?:shrcls|shareclass)$/,
    advice: 'write the class into the symbol, as BRK.B, where tickers leave it out',
  },
];

/** Notes on columns that are not read, and look like one that the file lacks. */
export function unreadColumnNotes(dialect: CandleDialect): string[] {
  const { header, columns, notes } = dialect;
  if (columns.message !== undefined || columns.ticker !== undefined) return [];
  const lacking = [
    ...(notes.includes(NO_VOLUME) ? VOLUME_WORDS.map((word) => [word, 'volume'] as const) : []),
    ...(columns.symbol === undefined ? [['symbol', 'symbol'] as const] : []),
  ];
  const known = new Set(Object.values(columns).map((at) => plainName(header[at])));
  const names = header.map(plainName);
  const near = unreadNotes(names, known, new Map(lacking));
  return [...near, ...lookalikeNotes(dialect, known)];
}

function lookalikeNotes(
  { header, columns, reading, hasTimes, statedInterval, zoneColumn }: CandleDialect,
  known: ReadonlySet<string>,
): string[] {
  const isOpen = {
    basis: reading.basis?.facts.length === 0,
    zone: hasTimes && zoneColumn === undefined,
    period: statedInterval === undefined,
    class: columns.symbol !== undefined && !/^symbol$/i.test(header[columns.symbol]),
  };
  const columnTexts = header.flatMap((title) => {
    const plain = plainName(title);
    const alike = LOOKALIKES.find(({ looks }) => looks.test(plain));
    if (!alike || known.has(plain)) return [];
    const { role, advice } = alike;
    const isLacking =
      role in isOpen
        ? isOpen[role as keyof typeof isOpen]
        : columns[role as ColumnRole] === undefined;
    return isLacking ? [`${title} (${advice})`] : [];
  });
  if (columnTexts.length === 0) return [];
  // Without quotes, in which notes of a kind are joined.
  return [`columns that are not read, and look like ones that are: ${columnTexts.join(', ')}`];
}

/** Notes of the files of a segment. Files with the same note share a line. */
export function inputNotes(inputs: readonly { name: string; dialect: CandleDialect }[]): string[] {
  const noted = inputs.flatMap(({ name, dialect }) =>
    dialect.notes.map((reason) => ({ name, reason })),
  );
  return skippedGroups(noted).map(({ text }) => text);
}
