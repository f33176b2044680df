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
import { FORMAT, filesOf, readManifest, swapManifest } from '../format/manifest.ts';
import type { Layer, Manifest, RecentVersion } from '../format/manifest-types.ts';
import { type SavedStates, STATE_ENDING, writeStates } from '../format/state-file.ts';
import { readTable } from '../format/table-file.ts';
import {
  ACTION_TABLE,
  COMPANY_TABLE,
  DIRECTORY_TABLE,
  QUOTE_TABLE,
  SYMBOL_TABLE,
} from '../format/tables.ts';
import { writeColumns, writeTable } from '../format/write-table.ts';
import { type ListsContent, ListWriters } from '../lists/content.ts';
import { type Companies, companiesOfTable, companyTableRows } from '../snapshot/companies-table.ts';
import { directoryTableRows } from '../snapshot/directory-table.ts';
import { type QuoteData, quoteColumns } from '../snapshot/quote.ts';
import type { Quote } from '../snapshot/snapshot.ts';
import {
  actionTableRows,
  type SymbolFacts,
  symbolTableRows,
} from '../snapshot/symbol-directory.ts';
import { type IntradayContent, writeIntraday } from './intraday-content.ts';
import { LayerWriter } from './layer-writer.ts';
import { canGoOn, recentVersions } from './recent-versions.ts';

export interface PublicationOptions {
  indicatorColumns: readonly string[];
  /** Fencing number of this writer; default that of the published version. */
  epoch?: number;
  /** Whether nothing stays as published: what the content does not have is gone. */
  isWhole?: boolean;
}

export interface PublicationContent {
  /** Highest `changes.seq` that is included. */
  seq: number;
  /** The load that `seq` is of, as `readStoreMark` names it. */
  storeMark: string;
  createdMs: number;
  /** Whether the layer is all there is, or lies over the published ones. */
  replacesLayers: boolean;
  /** Whether it is what is published already, put together anew. */
  isCompaction?: boolean;
  currentYear: number;
  /** All symbols by number; undefined = as published. */
  symbols?: readonly SymbolFacts[];
  /** By symbol number; undefined = as published. */
  quotes?: readonly (Quote | undefined)[] | QuoteData;
  /** Of the series that the layer holds whole. */
  states?: SavedStates;
  /** Ascending by symbol; undefined = as published. */
  directory?: readonly DirectoryRow[];
  /** undefined = as published. */
  companies?: Companies;
  /** undefined = as published. */
  intraday?: IntradayContent;
  /** undefined = as published. */
  lists?: ListsContent;
}

export class Publication {
  /** Where the publish adds its daily series. */
  readonly layer: LayerWriter;
  /** Where it adds its intraday series, which `PublicationContent.intraday` then describes. */
  readonly intradayLayer: LayerWriter;
  /** Where it writes lists, which `PublicationContent.lists` then describes. */
  readonly lists: ListWriters;
  readonly #folder: string;
  readonly #published: Manifest | undefined;
  /** What the parts that the content does not have stay as. */
  readonly #kept: Manifest | undefined;
  readonly #options: PublicationOptions;
  readonly #version: number;
  readonly #tag: string;
  #replacesDamaged = false;

  /**
   * Removes what the published version does not need (older versions, which readers have open if
   * they still need them, and what a crash left) and begins the next version.
   *
   * @param path The serving folder; made when missing. One publication at a time: the caller
   *   holds the writer lock.
   */
  constructor(path: string, options: PublicationOptions) {
    makeFolder(path);
    this.#folder = path;
    this.#options = options;
    this.#published = this.#readPublished();
    this.#kept = options.isWhole ? undefined : this.#published;
    // Nobody knows what a damaged manifest names: readers that hold it may open more of it.
    if (!this.#replacesDamaged) removeUnneeded(this.#folder, this.#published);
    this.#version = (this.#published?.version ?? highestTag(this.#folder)) + 1;
    this.#tag = String(this.#version).padStart(8, '0');
    this.layer = new LayerWriter(this.#folder, this.#tag, options.indicatorColumns);
    this.intradayLayer = new LayerWriter(this.#folder, this.#tag, [], 'intraday-');
    this.lists = new ListWriters(this.#folder, this.#tag);
  }

  /** What is published stays until the next version is whole, damaged or not. */
  #readPublished(): Manifest | undefined {
    try {
      return readManifest(this.#folder);
    } catch (error) {
      if (!this.#options.isWhole || !(error instanceof CorruptDataError)) throw error;
      this.#replacesDamaged = true;
      return undefined;
    }
  }

  /**
   * Those of the published version; undefined while there are none.
   *
   * @throws {CorruptDataError} their file does not match the manifest.
   */
  companies(): Companies | undefined {
    const table = this.#kept?.companies;
    return table && companiesOfTable(readTable(this.#folder, table, COMPANY_TABLE));
  }

  /** Writes the tables, all at once as each waits for the disk, and makes the version the published one. */
  async commit(content: PublicationContent): Promise<Manifest> {
    const [published, kept] = [this.#published, this.#kept];
    const { seq, storeMark, createdMs, currentYear, replacesLayers } = content;
    assert(!content.symbols || content.quotes, 'quotes go with the symbols, row by row');
    const [layer, tables, quotes, directory, companies, intraday, lists] = await Promise.all([
      this.#finishLayer(content.states),
      this.#writeSymbols(content.symbols),
      this.#writeQuotes(content.quotes),
      this.#writeDirectory(content.directory),
      this.#writeCompanies(content.companies),
      this.#writeIntraday(content.intraday),
      content.lists ? this.lists.finish(kept?.lists, content.lists) : kept?.lists,
    ]);
    const older = replacesLayers || !kept ? [] : kept.layers;
    const manifest: Manifest = {
      format: FORMAT,
      version: this.#version,
      epoch: this.#options.epoch ?? published?.epoch ?? 0,
      seq,
      storeMark,
      createdMs,
      currentYear,
      indicatorColumns: [...this.#options.indicatorColumns],
      ...tables,
      quotes,
      directory,
      companies,
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

  /** Gives up; harmless after a commit. */
  async abandon(): Promise<void> {
    await this.layer.abandon();
    await this.intradayLayer.abandon();
    await this.lists.abandon();
  }

  async #writeIntraday(content: IntradayContent | undefined): Promise<Manifest['intraday']> {
    const published = this.#kept?.intraday;
    if (!content) return published;
    return writeIntraday(this.#folder, this.#tag, this.intradayLayer, published, content);
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
    const rows = directoryTableRows(directory ?? []);
    return writeTable(this.#folder, `directory-${this.#tag}.arrow`, DIRECTORY_TABLE, rows);
  }

  async #writeCompanies(companies: Companies | undefined): Promise<Manifest['companies']> {
    if (!companies) return this.#kept?.companies;
    const rows = companyTableRows(companies);
    return writeTable(this.#folder, `companies-${this.#tag}.arrow`, COMPANY_TABLE, rows);
  }
}

/** The number of the newest version by the names of its files; 0 without files. */
function highestTag(folder: string): number {
  const tags = readdirSync(folder).map((name) => Number(/-(\d{8})\./.exec(name)?.[1] ?? 0));
  return Math.max(0, ...tags);
}

/** Removes what the published version does not need. The caller holds the writer lock. */
export function removeUnneeded(
  folder: string,
  published: Manifest | undefined = readManifest(folder),
): void {
  const needed = published ? filesOf(published) : new Set();
  const endings = ['.arrow', STATE_ENDING, UNFINISHED_ENDING];
  const isOurs = (name: string) => endings.some((ending) => name.endsWith(ending));
  for (const name of readdirSync(folder)) {
    if (isOurs(name) && !needed.has(name)) removeFile(folder, name);
  }
}
