/** One publish: begin, add series to its layer, commit. Nothing is visible before the commit. */

import { readdirSync } from 'node:fs';
import type { DirectoryRow } from '../../../base/directory-row.ts';
import {
  makeFolder,
  removeFile,
  syncFolder,
  UNFINISHED_ENDING,
} from '../../../base/durable-file.ts';
import { assert, CorruptDataError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import type { CompanyFacts } from '../../../compute/companies/company-facts.ts';
import { FigureLayerWriter } from '../figures/layer-writer.ts';
import {
  FORMAT,
  filesOf,
  publishedPosition,
  readManifest,
  snapshotId,
  swapManifest,
} from '../format/manifest.ts';
import type { IntradayTier, Layer, Manifest, RecentVersion } from '../format/manifest-types.ts';
import { type SavedStates, STATE_ENDING, writeStates } from '../format/state-file.ts';
import { readTable, rowAt } from '../format/table-file.ts';
import {
  ACTION_TABLE,
  COMPANY_TABLE,
  DIRECTORY_TABLE,
  INTRADAY_SERIES_TABLE,
  QUOTE_TABLE,
  SYMBOL_TABLE,
} from '../format/tables.ts';
import { writeColumns, writeTable } from '../format/write-table.ts';
import { type ListsContent, ListWriters } from '../lists/content.ts';
import type { IntradayFacts } from '../read/intraday-part.ts';
import { directoryColumns } from '../snapshot/directory-table.ts';
import { type QuoteData, quoteColumns } from '../snapshot/quote.ts';
import type { Quote } from '../snapshot/snapshot.ts';
import {
  actionTableRows,
  type SymbolFacts,
  symbolTableRows,
} from '../snapshot/symbol-directory.ts';
import { LayerWriter } from './layer-writer.ts';

/** Figures by symbol, ascending. */
export type Companies = ReadonlyMap<string, CompanyFacts>;

export interface PublicationOptions {
  indicatorColumns: readonly string[];
  /** Fencing number of this writer; default that of the published version. */
  epoch?: number;
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
  readonly lists: ListWriters;
  readonly #folder: string;
  readonly #published: Manifest | undefined;
  /** Source of the parts that the content leaves undefined. */
  readonly #kept: Manifest | undefined;
  readonly #options: PublicationOptions;
  readonly #version: number;
  readonly #epoch: number;
  readonly #tag: string;
  #figures: FigureLayerWriter | undefined;
  #replacesDamaged = false;

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
    this.#published = this.#readPublished();
    this.#kept = options.isWhole ? undefined : this.#published;
    // The files of a damaged manifest are unknown, and a reader that holds it may open more of
    // them.
    if (!this.#replacesDamaged) removeUnneeded(this.#folder, this.#published);
    const before = this.#replacesDamaged ? undefined : publishedPosition(this.#folder);
    this.#version = (before?.version ?? highestTag(this.#folder)) + 1;
    this.#epoch = options.epoch ?? before?.epoch ?? 0;
    this.#tag = String(this.#version).padStart(8, '0');
    this.layer = new LayerWriter(this.#folder, this.#tag, options.indicatorColumns);
    this.intradayLayer = new LayerWriter(this.#folder, this.#tag, [], 'intraday-');
    this.lists = new ListWriters(this.#folder, this.#tag);
  }

  /** Reads the published manifest. A damaged one stays until the next version is whole. */
  #readPublished(): Manifest | undefined {
    try {
      return readManifest(this.#folder);
    } catch (error) {
      if (!this.#options.isWhole || !(error instanceof CorruptDataError)) throw error;
      this.#replacesDamaged = true;
      return undefined;
    }
  }

  /** Returns the writer of the layer of figures; without it, figures stay as published. */
  openFigures(): FigureLayerWriter {
    this.#figures ??= new FigureLayerWriter(this.#folder, this.#tag);
    return this.#figures;
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
    const [layer, tables, quotes, directory, companies, figures, intraday, lists] =
      await Promise.all([
        this.#finishLayer(content.states),
        this.#writeSymbols(content.symbols),
        this.#writeQuotes(content.quotes),
        this.#writeDirectory(content.directory),
        this.#writeCompanies(content.companies),
        this.#writeFigures(content.figureLayersKept),
        this.#writeIntraday(content.intraday),
        content.lists ? this.lists.finish(kept?.lists, content.lists) : kept?.lists,
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
      quotes,
      directory,
      companies,
      figures,
      layers: layer ? [...older, layer] : [...older],
      intraday,
      lists,
      recent: this.#recentVersions(createdMs, content.isCompaction === true),
    };
    syncFolder(this.#folder);
    await swapManifest(this.#folder, manifest, this.#replacesDamaged);
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
    const [layer, saved] = await Promise.all([
      this.layer.finish(),
      writeStates(this.#folder, name, states),
    ]);
    return { ...layer, states: saved };
  }

  async abandon(): Promise<void> {
    await this.layer.abandon();
    await this.intradayLayer.abandon();
    await this.lists.abandon();
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

  async #writeSymbols(
    symbols: readonly SymbolFacts[] | undefined,
  ): Promise<Pick<Manifest, 'symbols' | 'actions'>> {
    if (!symbols && this.#kept) {
      return { symbols: this.#kept.symbols, actions: this.#kept.actions };
    }
    const facts = symbols ?? [];
    const symbolRows = symbolTableRows(facts);
    const actionRows = actionTableRows(facts);
    const [symbolTable, actionTable] = await Promise.all([
      writeTable(this.#folder, `symbols-${this.#tag}.arrow`, SYMBOL_TABLE, symbolRows),
      writeTable(this.#folder, `actions-${this.#tag}.arrow`, ACTION_TABLE, actionRows),
    ]);
    return { symbols: symbolTable, actions: actionTable };
  }

  async #writeQuotes(quotes: PublicationContent['quotes']): Promise<Manifest['quotes']> {
    if (!quotes && this.#kept) return this.#kept.quotes;
    const columns = quotes && 'price' in quotes ? quotes : quoteColumns(quotes ?? []);
    return writeColumns(this.#folder, `quotes-${this.#tag}.arrow`, QUOTE_TABLE, columns);
  }

  async #writeDirectory(
    directory: readonly DirectoryRow[] | undefined,
  ): Promise<Manifest['directory']> {
    if (!directory && this.#kept) return this.#kept.directory;
    const columns = directoryColumns(directory ?? []);
    return writeColumns(this.#folder, `directory-${this.#tag}.arrow`, DIRECTORY_TABLE, columns);
  }

  async #writeCompanies(companies: Companies | undefined): Promise<Manifest['companies']> {
    if (!companies) return this.#kept?.companies;
    const rows = Array.from(companies, ([symbol, facts]) => ({ symbol, ...facts }));
    return writeTable(this.#folder, `companies-${this.#tag}.arrow`, COMPANY_TABLE, rows);
  }

  async #writeFigures(layersKept = 0): Promise<Manifest['figures']> {
    const published = this.#kept?.figures;
    if (!this.#figures) return published;
    const kept = published?.slice(0, layersKept) ?? [];
    return this.#figures.isEmpty ? kept : [...kept, await this.#figures.finish()];
  }
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

/** Removes all published and unfinished files but these. */
export function removeOthers(folder: string, needed: ReadonlySet<string>): void {
  const endings = ['.arrow', STATE_ENDING, UNFINISHED_ENDING];
  const isOurs = (name: string) => endings.some((ending) => name.endsWith(ending));
  for (const name of readdirSync(folder)) {
    if (isOurs(name) && !needed.has(name)) removeFile(folder, name);
  }
}
