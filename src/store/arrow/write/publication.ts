/** One publish: begin, add series to its layer, commit. Nothing is visible before the commit. */

import type { ListName } from '../../../base/datasets/datasets.ts';
import type { DirectoryRow } from '../../../base/directory-row.ts';
import {
  allEnded,
  makeFolder,
  removeFile,
  syncFolder,
  UNFINISHED_ENDING,
} from '../../../base/durable-file.ts';
import { assert, CorruptDataError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { readAgain } from '../../../base/read-again.ts';
import { readdirSync } from '../../../base/world/files.ts';
import type { CompanyFacts } from '../../../compute/companies/company-facts.ts';
import { FigureLayerWriter } from '../figures/layer-writer.ts';
import { markHighWater } from '../format/high-water.ts';
import {
  FORMAT,
  filesOf,
  manifestOf,
  manifestText,
  positionOf,
  publishedEpoch,
  readManifest,
  snapshotId,
  swapManifest,
} from '../format/manifest.ts';
import type { IntradayTier, Layer, Manifest, RecentVersion } from '../format/manifest-types.ts';
import { type SavedStates, STATE_ENDING, writeStates } from '../format/state-file.ts';
import { columnsFromRows, readTable, rowAt, type TableData } from '../format/table-file.ts';
import {
  ACTION_TABLE,
  COMPANY_TABLE,
  DIRECTORY_TABLE,
  INTRADAY_SERIES_TABLE,
  QUOTE_TABLE,
  SYMBOL_TABLE,
  type TableSpec,
} from '../format/tables.ts';
import { writeColumns, writeTable } from '../format/write-table.ts';
import { ListLayerWriter } from '../lists/layer-writer.ts';
import type { IntradayFacts } from '../read/intraday-part.ts';
import type { PublishedVersion } from '../read/published-version.ts';
import { directoryColumns } from '../snapshot/directory-table.ts';
import { type QuoteData, quoteColumns } from '../snapshot/quote.ts';
import type { Quote } from '../snapshot/snapshot.ts';
import { actionColumns, type SymbolFacts, symbolColumns } from '../snapshot/symbol-directory.ts';
import { LayerWriter } from './layer-writer.ts';
import { recordPast } from './record-past.ts';

/** Figures by symbol, ascending. */
export type Companies = ReadonlyMap<string, CompanyFacts>;

export interface PublicationOptions {
  indicatorColumns: readonly string[];
  /** Fencing number of this writer; default the highest that has published. */
  epoch?: number;
  /** The published version, if the caller has it open. */
  open?: PublishedVersion;
  /** True to replace everything; false to keep whatever the content leaves undefined. */
  isWhole?: boolean;
}

export interface IntradayContent {
  tier: IntradayTier;
  /** Published layers, counted from the oldest, that stay below the new one. */
  layersKept: number;
  /**
   * Facts by series number, undefined for removed series. Without this list the series stay as
   * published.
   */
  series?: readonly (IntradayFacts | undefined)[];
}

export interface ListsContent {
  /** `ListsManifest.seq` and `ListsManifest.storeMark`. */
  seq: number;
  storeMark: string;
  /** Published layers that stay below a new one, by dataset. */
  layersKept: Partial<Record<ListName, number>>;
}

type Tables = Pick<Manifest, 'symbols' | 'actions' | 'quotes' | 'directory' | 'companies'>;

/** Content of a version; optional parts that are undefined stay as published. */
export interface PublicationContent {
  seq: number;
  storeMark: string;
  createdMs: number;
  /** True if the layer replaces the published ones; false if it lies over them. */
  replacesLayers: boolean;
  isCompaction?: boolean;
  currentYear: number;
  symbols?: readonly SymbolFacts[];
  /** By symbol number. */
  quotes?: readonly (Quote | undefined)[] | QuoteData;
  /** States of the series that the layer holds whole. */
  states?: SavedStates;
  directory?: readonly DirectoryRow[];
  companies?: Companies;
  /** Published layers of figures, counted from the oldest, that stay below the new one. */
  figureLayersKept?: number;
  intraday?: IntradayContent;
  lists?: ListsContent;
}

/** Row of a removed intraday series. */
const GAP = { symbol: '', interval: '', source: '', basis: '' };

export class Publication {
  readonly layer: LayerWriter;
  readonly intradayLayer: LayerWriter;
  readonly #folder: string;
  readonly #published: Manifest | undefined;
  /** Source of the parts that the content leaves undefined. */
  readonly #kept: Manifest | undefined;
  readonly #options: PublicationOptions;
  readonly #version: number;
  readonly #epoch: number;
  readonly #tag: string;
  #figures: FigureLayerWriter | undefined;
  readonly #lists = new Map<ListName, ListLayerWriter>();
  /** Text of the published manifest, if it is damaged. */
  #damaged: string | undefined;

  /**
   * Begins the next version and removes older versions, which current readers have open, and
   * remains of a crash.
   *
   * @param path The serving folder; created if missing. The caller holds the writer lock.
   */
  constructor(path: string, options: PublicationOptions) {
    makeFolder(path);
    this.#folder = path;
    this.#options = options;
    const { text, manifest } = this.#readPublished();
    this.#published = manifest;
    this.#kept = options.isWhole ? undefined : this.#published;
    // The files of a damaged manifest are unknown, and a reader that holds it may open more of
    // them. It opens no unfinished ones.
    if (this.#damaged === undefined) removeUnneeded(this.#folder, this.#published);
    else removeOthers(this.#folder, new Set(), UNFINISHED);
    const before = this.#damaged === undefined ? positionOf(text) : undefined;
    this.#version = (before?.version ?? highestTag(this.#folder)) + 1;
    this.#epoch = options.epoch ?? publishedEpoch(this.#folder);
    this.#tag = String(this.#version).padStart(8, '0');
    this.layer = new LayerWriter(this.#folder, this.#tag, options.indicatorColumns);
    this.intradayLayer = new LayerWriter(this.#folder, this.#tag, [], 'intraday-');
  }

  /** Reads the published manifest. A damaged one stays until the next version is whole. */
  #readPublished(): { text?: string; manifest?: Manifest } {
    let text: string | undefined;
    try {
      const manifest = readAgain(() => {
        text = manifestText(this.#folder);
        return text === undefined ? undefined : manifestOf(text, this.#folder);
      });
      return { text, manifest };
    } catch (error) {
      if (!this.#options.isWhole || !(error instanceof CorruptDataError)) throw error;
      this.#damaged = text;
      return {};
    }
  }

  /** Returns the writer of the layer of figures; without it, figures stay as published. */
  openFigures(): FigureLayerWriter {
    this.#figures ??= new FigureLayerWriter(this.#folder, this.#tag);
    return this.#figures;
  }

  /** Returns the writer of a layer of a dataset's lists. */
  openList(name: ListName): ListLayerWriter {
    const writer = new ListLayerWriter(this.#folder, name, this.#tag);
    this.#lists.set(name, writer);
    return writer;
  }

  companies(): Companies | undefined {
    if (!this.#kept?.companies) return undefined;
    const table = readTable(this.#folder, this.#kept.companies, COMPANY_TABLE);
    return new Map(
      table.symbol.map((_, row) => {
        const { symbol, ...facts } = rowAt(COMPANY_TABLE, table, row);
        return [symbol, facts];
      }),
    );
  }

  /** Writes all tables at once, as each waits for the disk, and publishes the version. */
  async commit(content: PublicationContent): Promise<Manifest> {
    const kept = this.#kept;
    const { seq, storeMark, createdMs, currentYear, replacesLayers } = content;
    assert(!content.symbols || content.quotes, 'quotes go with the symbols, row by row');
    const [layer, tables, figures, intraday, lists] = await allEnded([
      this.#finishLayer(content.states),
      this.#writeTables(content),
      this.#writeFigures(content.figureLayersKept),
      this.#writeIntraday(content.intraday),
      this.#writeLists(content.lists),
    ]);
    const older = replacesLayers || !kept ? [] : kept.layers;
    const manifest: Manifest = {
      format: FORMAT,
      version: this.#version,
      epoch: this.#epoch,
      seq,
      storeMark,
      createdMs,
      currentYear,
      indicatorColumns: [...this.#options.indicatorColumns],
      ...tables,
      figures,
      layers: layer ? [...older, layer] : [...older],
      intraday,
      lists,
      recent: this.#recentVersions(createdMs, content.isCompaction === true),
    };
    markHighWater(this.#folder, manifest);
    syncFolder(this.#folder);
    recordPast({
      folder: this.#folder,
      published: this.#published,
      next: manifest,
      isCompaction: content.isCompaction === true,
      open: this.#options.open,
    });
    await swapManifest(this.#folder, manifest, this.#damaged);
    return manifest;
  }

  #recentVersions(createdMs: number, isCompaction: boolean): RecentVersion[] {
    const recent = recentVersions(this.#published, createdMs, isCompaction);
    if (!this.#options.isWhole) return recent;
    // Damaged tables would otherwise stay with this version.
    return recent.filter((version) => canGoOn(this.#folder, version));
  }

  async #finishLayer(states: SavedStates | undefined): Promise<Layer | undefined> {
    if (this.layer.isEmpty) return undefined;
    if (!states || states.symbols.length === 0) return this.layer.finish();
    const name = `states-${this.#tag}${STATE_ENDING}`;
    const [layer, saved] = await allEnded([
      this.layer.finish(),
      writeStates(this.#folder, name, states),
    ]);
    return { ...layer, states: saved };
  }

  async abandon(): Promise<void> {
    await this.layer.abandon();
    await this.intradayLayer.abandon();
    for (const writer of this.#lists.values()) await writer.abandon();
    await this.#figures?.abandon();
  }

  async #writeIntraday(content: IntradayContent | undefined): Promise<Manifest['intraday']> {
    const published = this.#kept?.intraday;
    if (!content) return published;
    const { tier, layersKept, series } = content;
    const layers = published?.layers.slice(0, layersKept) ?? [];
    if (!this.intradayLayer.isEmpty) layers.push({ tier, ...(await this.intradayLayer.finish()) });
    if (!series) return published && { series: published.series, layers };
    if (series.every((facts) => !facts)) return undefined;
    const name = `intraday-series-${this.#tag}.arrow`;
    const rows = series.map((facts) => ({ ...(facts ?? GAP), as_of: facts?.asOfUs ?? null }));
    return { series: await writeTable(this.#folder, name, INTRADAY_SERIES_TABLE, rows), layers };
  }

  /** Writes the tables of a version. Those that the content leaves undefined stay as published. */
  async #writeTables(content: PublicationContent): Promise<Tables> {
    const kept = this.#kept;
    const none = kept ? undefined : [];
    const { symbols = none, quotes = none, directory = none, companies } = content;
    const write = <T extends TableSpec>(name: string, table: T, columns: TableData<T>) =>
      writeColumns(this.#folder, `${name}-${this.#tag}.arrow`, table, columns);
    const [symbolTable, actionTable, quoteTable, directoryTable, companyTable] = await allEnded([
      symbols && write('symbols', SYMBOL_TABLE, symbolColumns(symbols)),
      symbols && write('actions', ACTION_TABLE, actionColumns(symbols)),
      quotes && write('quotes', QUOTE_TABLE, 'price' in quotes ? quotes : quoteColumns(quotes)),
      directory && write('directory', DIRECTORY_TABLE, directoryColumns(directory)),
      companies && write('companies', COMPANY_TABLE, companyColumns(companies)),
    ]);
    return {
      symbols: symbolTable ?? kept!.symbols,
      actions: actionTable ?? kept!.actions,
      quotes: quoteTable ?? kept!.quotes,
      directory: directoryTable ?? kept!.directory,
      companies: companyTable ?? kept?.companies,
    };
  }

  /** Makes the layers of lists durable, and returns the lists as the manifest has them. */
  async #writeLists(content: ListsContent | undefined): Promise<Manifest['lists']> {
    const published = this.#kept?.lists;
    if (!content) return published;
    const { seq, storeMark, layersKept } = content;
    const layers = { ...published?.layers };
    for (const [name, writer] of this.#lists) {
      const kept = (layers[name] ?? []).slice(0, layersKept[name]);
      layers[name] = writer.listCount === 0 ? kept : [...kept, await writer.finish()];
    }
    return { seq, storeMark, layers };
  }

  async #writeFigures(layersKept = 0): Promise<Manifest['figures']> {
    const published = this.#kept?.figures;
    if (!this.#figures) return published;
    const kept = published?.slice(0, layersKept) ?? [];
    return this.#figures.isEmpty ? kept : [...kept, await this.#figures.finish()];
  }
}

function companyColumns(companies: Companies): TableData<typeof COMPANY_TABLE> {
  const rows = Array.from(companies, ([symbol, facts]) => ({ symbol, ...facts }));
  return columnsFromRows(COMPANY_TABLE, rows);
}

/**
 * Returns the recent versions once `published` is replaced. A version is kept while it is among the
 * newest or was replaced lately. Compactions do not count: one publish may make three versions.
 */
function recentVersions(
  published: Manifest | undefined,
  nowMs: number,
  isCompaction: boolean,
): RecentVersion[] {
  if (!published) return [];
  const { symbols, quotes, directory } = published;
  const replaced: RecentVersion = {
    id: snapshotId(published),
    supersededMs: nowMs,
    ...(isCompaction && { isFolded: true }),
    symbols,
    quotes,
    directory,
  };
  const { recentVersionsMin, recentMs } = limits.serving;
  let publishes = 0;
  return [replaced, ...published.recent].filter(({ supersededMs, isFolded }) => {
    const isKept = publishes < recentVersionsMin || nowMs - supersededMs < recentMs;
    if (!isFolded) publishes++;
    return isKept;
  });
}

/** Returns true if the tables of a version are whole, so that walks can continue in it. */
function canGoOn(
  folder: string,
  { symbols, quotes, directory }: Pick<RecentVersion, 'symbols' | 'quotes' | 'directory'>,
): boolean {
  try {
    readTable(folder, symbols, SYMBOL_TABLE);
    readTable(folder, quotes, QUOTE_TABLE);
    readTable(folder, directory, DIRECTORY_TABLE);
    return true;
  } catch {
    return false;
  }
}

function highestTag(folder: string): number {
  const tags = readdirSync(folder).map((name) => Number(/-(\d{8})\./.exec(name)?.[1] ?? 0));
  return Math.max(0, ...tags);
}

/** Removes what the published version does not need. The caller holds the writer lock. */
export function removeUnneeded(
  folder: string,
  published: Manifest | undefined = readManifest(folder),
): void {
  removeOthers(folder, published ? filesOf(published) : new Set());
}

/** Endings of files that no manifest names, and of all files of this folder. */
export const UNFINISHED = [UNFINISHED_ENDING];
const ALL = ['.arrow', STATE_ENDING, UNFINISHED_ENDING];

/** Removes all published and unfinished files but these, or those of some endings. */
export function removeOthers(
  folder: string,
  needed: ReadonlySet<string>,
  endings: readonly string[] = ALL,
): void {
  const isOurs = (name: string) => endings.some((ending) => name.endsWith(ending));
  for (const name of readdirSync(folder)) {
    if (isOurs(name) && !needed.has(name)) removeFile(folder, name);
  }
}
