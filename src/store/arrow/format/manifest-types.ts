/** Types of `manifest.json`, which names every file of a published version. */

import type { ServedInterval } from '../../../base/time/intervals.ts';
import type { ColumnType } from './batch-layout.ts';

/** An Arrow file of one record batch that is read whole. */
export interface TableRef {
  name: string;
  bytes: number;
  rowCount: number;
  /** Offset and length of the batch's body, and its CRC-32. */
  bodyOffset: number;
  bodyBytes: number;
  crc32: number;
  /** Types of the columns in the file: unsigned integers are as narrow as their values allow. */
  types: ColumnType[];
  /** Length of the text of each utf8 column. */
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
 * Of intraday bars, `runs`: many slices put together, the rows of a symbol too; `days`: runs put
 * together, a batch per symbol and interval; `months`: a month's bars of one interval, a batch per
 * symbol.
 */
export type VolumeRole = 'closed' | 'current' | 'slices' | 'patches' | 'runs' | 'days' | 'months';

/**
 * Candles and the indicator columns of the same rows; one file in slices and patches. Intraday
 * bars have no indicator columns: there too both are the one file.
 */
export interface Volume {
  role: VolumeRole;
  /** Undefined where batches of all intervals share the file. */
  interval?: ServedInterval;
  /** Of `months`: `YYYY-MM`, in UTC. */
  month?: string;
  candles: VolumeFile;
  indicators: VolumeFile;
}

/** A file of saved states, as `state-file.ts` describes it. */
export interface StateRef extends VolumeFile {
  symbolCount: number;
  /** CRC-32 of the file. */
  crc32: number;
}

/** What one publish added; later layers supersede earlier ones. */
export interface Layer {
  volumes: Volume[];
  index: TableRef;
  batches: TableRef;
  /**
   * States of the daily series that the layer holds whole, for the next publish to go on from;
   * undefined in layers of slices, which are gone through again instead.
   */
  states?: StateRef;
}

/** Sizes of intraday layers: what one publish added, and what folding makes of many, rising. */
export const INTRADAY_TIERS = ['slice', 'run', 'day', 'month'] as const;

export type IntradayTier = (typeof INTRADAY_TIERS)[number];

export interface IntradayLayer extends Layer {
  tier: IntradayTier;
}

/** The intraday part of a version: it is numbered, laid in layers and folded for itself. */
export interface IntradayManifest {
  /** A row per symbol and interval, which is the symbol's number in the index of these layers. */
  series: TableRef;
  /** Later layers supersede earlier ones. */
  layers: IntradayLayer[];
}

/** Lists that one publish added to a dataset, or several layers compacted into one. */
export interface ListLayer {
  /** File of rows; `LIST_TABLE`. */
  rows: VolumeFile;
  rowCount: number;
  index: TableRef;
  batches: TableRef;
  /** Undefined if rows are not looked up by id. */
  ids?: TableRef;
  /** Undefined if rows are not selected by kind. */
  selection?: { rows: TableRef; articles: TableRef; kinds: TableRef };
}

/** Lists of a version. */
export interface ListsManifest {
  /** Highest included `row_changes.seq` of the market store. */
  seq: number;
  /** Load that `seq` belongs to. */
  storeMark: string;
  /** By dataset; oldest layer first. */
  layers: Record<string, ListLayer[]>;
}

/** A version that was replaced lately, with the tables that walks which began in it still need. */
export interface RecentVersion {
  /** Its `Snapshot.id`. */
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
  /** Highest `changes.seq` of the market store that is included. */
  seq: number;
  /** Names the load that `seq` is of, as `readStoreMark` does. */
  storeMark: string;
  createdMs: number;
  /** Bars from 1 January of this year on were in the `current` volumes at the last fold. */
  currentYear: number;
  indicatorColumns: string[];
  symbols: TableRef;
  actions: TableRef;
  quotes: TableRef;
  directory: TableRef;
  /** Undefined while there are no rows but bars, as `lists` is. */
  companies?: TableRef;
  layers: Layer[];
  /** Undefined while there are no intraday bars. */
  intraday?: IntradayManifest;
  /** Undefined while there are no rows but bars. */
  lists?: ListsManifest;
  /** Newest first. */
  recent: RecentVersion[];
}
