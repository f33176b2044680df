/** Types of `manifest.json`, which names every file of a published version. */

import type { ServedInterval } from '../../../base/time/intervals.ts';
import type { ColumnType } from './batch-layout.ts';

/** An Arrow file of one record batch that is read whole. */
export interface TableRef {
  name: string;
  bytes: number;
  rowCount: number;
  bodyOffset: number;
  bodyBytes: number;
  crc32: number;
  /** Types of the columns in the file: unsigned integers are as narrow as their values allow. */
  types: ColumnType[];
  textBytes: number[];
}

export interface VolumeFile {
  name: string;
  bytes: number;
}

/**
 * `closed`: bars up to the end of last year, a batch per symbol. `current`: this year's, a batch
 * per symbol. `slices`: the newest bars of all symbols, a batch per interval. `patches`: whole
 * series, a batch per symbol and interval.
 *
 * Intraday only: `runs` are many slices compacted; `days` are runs compacted, a batch per symbol
 * and interval; `months` hold a month's bars of one interval, a batch per symbol.
 */
export type VolumeRole = 'closed' | 'current' | 'slices' | 'patches' | 'runs' | 'days' | 'months';

/**
 * Candles and the indicator columns of the same rows. Slices, patches and intraday bars have both
 * in one file.
 */
export interface Volume {
  role: VolumeRole;
  /** Undefined if batches of all intervals share the file. */
  interval?: ServedInterval;
  /** `YYYY-MM` in UTC; only of `months`. */
  month?: string;
  candles: VolumeFile;
  indicators: VolumeFile;
}

/** File of saved states, as `state-file.ts` describes it. */
export interface StateRef extends VolumeFile {
  symbolCount: number;
  crc32: number;
}

/** Files that one publish added; later layers supersede earlier ones. */
export interface Layer {
  volumes: Volume[];
  index: TableRef;
  batches: TableRef;
  /**
   * States of the daily series that the layer holds whole, from which the next publish continues.
   * Undefined in layers of slices, whose rows are replayed instead.
   */
  states?: StateRef;
}

/** Sizes of intraday layers, ascending: one publish, and the compactions of many. */
export type IntradayTier = 'slice' | 'run' | 'day' | 'month';

export interface IntradayLayer extends Layer {
  tier: IntradayTier;
}

/** Intraday part of a version: it has its own numbers, layers and compaction. */
export interface IntradayManifest {
  /** One row per symbol and interval; the row number is the symbol's number in these layers. */
  series: TableRef;
  layers: IntradayLayer[];
}

export interface ListLayer {
  rows: VolumeFile;
  rowCount: number;
  index: TableRef;
  batches: TableRef;
  ids?: TableRef;
  selection?: { rows: TableRef; articles: TableRef; kinds: TableRef };
}

/** Figures of companies. The newest layer that has a symbol has all of its rows. */
export interface FigureLayer {
  /** Number of columns; undefined or another one in versions of other programs. */
  columnCount?: number;
  rows: VolumeFile;
  rowCount: number;
  index: TableRef;
  batches: TableRef;
}

export interface ListsManifest {
  /** Highest included `row_changes.seq` of the market store. */
  seq: number;
  storeMark: string;
  /** By dataset; oldest layer first. */
  layers: Record<string, ListLayer[]>;
}

/** A replaced version, with the tables that screens and walks which began in it still need. */
export interface RecentVersion {
  id: string;
  supersededMs: number;
  /** Set if the version that replaced it holds the same data, compacted. */
  isFolded?: true;
  symbols: TableRef;
  quotes: TableRef;
  directory: TableRef;
}

export interface Manifest {
  format: number;
  /** Rises by one with every publish. */
  version: number;
  /** Fencing number of the writer; a lower one may not replace a higher one. */
  epoch: number;
  seq: number;
  /** Load that `seq` belongs to, as `readStoreMark` names it. */
  storeMark: string;
  createdMs: number;
  /** Year whose bars were in the `current` volumes at the last compaction. */
  currentYear: number;
  indicatorColumns: string[];
  symbols: TableRef;
  actions: TableRef;
  quotes: TableRef;
  directory: TableRef;
  companies?: TableRef;
  /** Oldest layer first; absent in versions of older programs, and without filings. */
  figures?: FigureLayer[];
  layers: Layer[];
  intraday?: IntradayManifest;
  lists?: ListsManifest;
  /** Newest first. */
  recent: RecentVersion[];
}
