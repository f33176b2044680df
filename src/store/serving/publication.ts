/** One publish: begin, add series to its layer, commit. Nothing is visible before the commit. */

import { mkdirSync, readdirSync } from 'node:fs';
import { assert } from '../../errors.ts';
import type { DirectoryRow } from '../market/symbols.ts';
import { NULL_INT } from './batch-layout.ts';
import { directoryTableRows } from './directory-table.ts';
import {
  type DurableFolder,
  removeFile,
  type StepHook,
  syncFolder,
  UNFINISHED_ENDING,
} from './durable-file.ts';
import { LayerWriter } from './layer-writer.ts';
import {
  FORMAT,
  filesOf,
  type Manifest,
  readManifest,
  recentVersions,
  swapManifest,
} from './manifest.ts';
import type { Quote } from './snapshot.ts';
import type { SymbolFacts } from './symbol-directory.ts';
import { type TableRow, writeTable } from './table-file.ts';
import { ACTION_TABLE, DIRECTORY_TABLE, QUOTE_TABLE, SYMBOL_TABLE } from './tables.ts';

export interface PublicationOptions {
  indicatorColumns: readonly string[];
  /** Fencing number of this writer; default that of the published version. */
  epoch?: number;
  onStep?: StepHook;
}

export interface PublicationContent {
  /** Highest `changes.seq` that is included. */
  seq: number;
  /** The load that `seq` is of, as `readStoreMark` names it. */
  storeMark: string;
  createdMs: number;
  /** Whether the layer is all there is, or lies over the published ones. */
  replacesLayers: boolean;
  currentYear: number;
  /** All symbols by number; undefined = as published. */
  symbols?: readonly SymbolFacts[];
  /** By symbol number; undefined = as published. */
  quotes?: readonly (Quote | undefined)[];
  /** Ascending by symbol; undefined = as published. */
  directory?: readonly DirectoryRow[];
}

export class Publication {
  /** Where the publish adds its series. */
  readonly layer: LayerWriter;
  readonly #folder: DurableFolder;
  readonly #published: Manifest | undefined;
  readonly #options: PublicationOptions;
  readonly #version: number;
  readonly #tag: string;

  /**
   * Removes what the published version does not need (older versions, which readers have open if
   * they still need them, and what a crash left) and begins the next version.
   *
   * @param path The serving folder; made when missing. One publication at a time: the caller
   *   holds the writer lock.
   */
  constructor(path: string, options: PublicationOptions) {
    mkdirSync(path, { recursive: true });
    this.#folder = { path, onStep: options.onStep };
    this.#options = options;
    this.#published = readManifest(path);
    removeUnneeded(this.#folder, this.#published);
    this.#version = (this.#published?.version ?? 0) + 1;
    this.#tag = String(this.#version).padStart(8, '0');
    this.layer = new LayerWriter(this.#folder, this.#tag, options.indicatorColumns);
  }

  /** Writes the tables and makes the version the published one. */
  async commit(content: PublicationContent): Promise<Manifest> {
    const published = this.#published;
    const { seq, storeMark, createdMs, currentYear, replacesLayers } = content;
    assert(!content.symbols || content.quotes, 'quotes go with the symbols, row by row');
    const layers = replacesLayers || !published ? [] : [...published.layers];
    if (!this.layer.isEmpty) layers.push(await this.layer.finish());
    const manifest: Manifest = {
      format: FORMAT,
      version: this.#version,
      epoch: this.#options.epoch ?? published?.epoch ?? 0,
      seq,
      storeMark,
      createdMs,
      currentYear,
      indicatorColumns: [...this.#options.indicatorColumns],
      ...(await this.#writeSymbols(content.symbols)),
      quotes: await this.#writeQuotes(content.quotes),
      directory: await this.#writeDirectory(content.directory),
      layers,
      recent: recentVersions(published, createdMs),
    };
    syncFolder(this.#folder);
    await swapManifest(this.#folder, manifest);
    return manifest;
  }

  /** Gives up; harmless after a commit. */
  async abandon(): Promise<void> {
    await this.layer.abandon();
  }

  async #writeSymbols(
    symbols: readonly SymbolFacts[] | undefined,
  ): Promise<Pick<Manifest, 'symbols' | 'actions'>> {
    if (!symbols && this.#published) {
      return { symbols: this.#published.symbols, actions: this.#published.actions };
    }
    const facts = symbols ?? [];
    const symbolRows = facts.map(symbolRow);
    const actionRows = facts.toSorted(bySymbol).flatMap(actionRowsOf);
    return {
      symbols: await writeTable(
        this.#folder,
        `symbols-${this.#tag}.arrow`,
        SYMBOL_TABLE,
        symbolRows,
      ),
      actions: await writeTable(
        this.#folder,
        `actions-${this.#tag}.arrow`,
        ACTION_TABLE,
        actionRows,
      ),
    };
  }

  async #writeQuotes(
    quotes: readonly (Quote | undefined)[] | undefined,
  ): Promise<Manifest['quotes']> {
    if (!quotes && this.#published) return this.#published.quotes;
    const rows = (quotes ?? []).map((quote) => (quote ? quoteRow(quote) : NO_QUOTE));
    return writeTable(this.#folder, `quotes-${this.#tag}.arrow`, QUOTE_TABLE, rows);
  }

  async #writeDirectory(
    directory: readonly DirectoryRow[] | undefined,
  ): Promise<Manifest['directory']> {
    if (!directory && this.#published) return this.#published.directory;
    const rows = directoryTableRows(directory ?? []);
    return writeTable(this.#folder, `directory-${this.#tag}.arrow`, DIRECTORY_TABLE, rows);
  }
}

function removeUnneeded(folder: DurableFolder, published: Manifest | undefined): void {
  const needed = published ? filesOf(published) : new Set();
  const isOurs = (name: string) => name.endsWith('.arrow') || name.endsWith(UNFINISHED_ENDING);
  for (const name of readdirSync(folder.path)) {
    if (isOurs(name) && !needed.has(name)) removeFile(folder, name);
  }
}

function bySymbol(a: SymbolFacts, b: SymbolFacts): number {
  return a.symbol < b.symbol ? -1 : 1;
}

function symbolRow(facts: SymbolFacts): TableRow<typeof SYMBOL_TABLE> {
  return {
    symbol: facts.symbol,
    source: facts.source,
    basis: facts.basis,
    as_of: facts.asOfUs,
    actions_from: facts.actionCoverage?.fromDay ?? NULL_INT,
    actions_to: facts.actionCoverage?.toDay ?? NULL_INT,
  };
}

function actionRowsOf({ symbol, splits, dividends }: SymbolFacts): TableRow<typeof ACTION_TABLE>[] {
  const rows = [
    ...splits.map(({ exDay, numerator, denominator }) => ({
      symbol,
      type: 'split',
      ex_date: exDay,
      numerator,
      denominator,
      amount: null,
    })),
    ...dividends.map(({ exDay, amount }) => ({
      symbol,
      type: 'dividend',
      ex_date: exDay,
      numerator: null,
      denominator: null,
      amount,
    })),
  ];
  return rows.sort((a, b) => a.ex_date - b.ex_date);
}

const NO_QUOTE: TableRow<typeof QUOTE_TABLE> = {
  symbol: '',
  price: null,
  change: null,
  changePct: null,
  volume: null,
  timestamp: 0n,
  dayHigh: null,
  dayLow: null,
  dayOpen: null,
  previousClose: null,
  marketCap: null,
  rsi14: null,
  peRatio: null,
  dividendYield: null,
};

function quoteRow({ timestampMs, ...quote }: Quote): TableRow<typeof QUOTE_TABLE> {
  return { ...quote, timestamp: BigInt(timestampMs * 1000) };
}
