/** Selects rows of a layer by kind, from memory: five bytes per row, eight per article. */

import { allEnded } from '../../../base/durable-file.ts';
import { limits } from '../../../base/limits.ts';
import type { ListLayer } from '../format/manifest-types.ts';
import { readTable, type TableData } from '../format/table-file.ts';
import { LIST_ARTICLE_TABLE, LIST_KIND_TABLE, LIST_SELECTION_TABLE } from '../format/tables.ts';
import { writeColumns } from '../format/write-table.ts';
import type { RowFilter, WrittenRow } from './specs.ts';

export interface RowRange {
  row: number;
  end: number;
}

/** 1 for each wanted kind, by its number; 0 for number 0, which stands for no kind. */
type WantedKinds = Uint8Array;

/** Value of `change` in `LIST_SELECTION_TABLE`. */
const REPLACES = 1;

/** Marks of the articles counted so far: by their own kind, and by the kind they replace. */
let isCounted = new Uint8Array(0);
let wasCounted = new Uint8Array(0);

export class ListSelection {
  readonly #rows: TableData<typeof LIST_SELECTION_TABLE>;
  readonly #articles: TableData<typeof LIST_ARTICLE_TABLE>;
  readonly #kinds: readonly string[];
  readonly #wanted = new Map<string, WantedKinds>();
  /** By filter and ranges: pages of one walk count the same rows. */
  readonly #counts = new Map<string, number>();

  constructor(folder: string, { rows, articles, kinds }: NonNullable<ListLayer['selection']>) {
    this.#rows = readTable(folder, rows, LIST_SELECTION_TABLE);
    this.#articles = readTable(folder, articles, LIST_ARTICLE_TABLE);
    this.#kinds = readTable(folder, kinds, LIST_KIND_TABLE).kind;
  }

  /** Returns the kind of the older row that a row replaces or removes; empty without one. */
  replacedKind(row: number): string {
    const { article, change } = this.#rows;
    if (change[row] > REPLACES) return '';
    return this.#kinds[this.#articles.replaced[article[row]]];
  }

  isWanted(row: number, filter: RowFilter): boolean {
    const { article, change } = this.#rows;
    const wanted = this.#wantedKinds(filter);
    return change[row] >= REPLACES && wanted[this.#articles.kind[article[row]]] === 1;
  }

  /**
   * Returns the next row that is wanted, or that replaces or removes a wanted row of an older
   * layer; the end of the range if there is none.
   */
  nextStop({ row, end }: RowRange, filter: RowFilter): number {
    const { article, change } = this.#rows;
    const { kind, replaced } = this.#articles;
    const wanted = this.#wantedKinds(filter);
    for (let next = row; next < end; next++) {
      if (change[next] >= REPLACES && wanted[kind[article[next]]] === 1) return next;
      if (change[next] <= REPLACES && wanted[replaced[article[next]]] === 1) return next;
    }
    return end;
  }

  /** Returns what the layer adds to the number of wanted articles, each counted once. */
  count(ranges: readonly RowRange[], filter: RowFilter): number {
    const key = [filter.key, ...ranges.flatMap(({ row, end }) => [row, end])].join('\n');
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const wanted = this.#wantedKinds(filter);
    const count =
      ranges.length === 1 ? this.#countOne(ranges[0], wanted) : this.#countAll(ranges, wanted);
    if (this.#counts.size >= limits.serving.selectionCountsMax) this.#counts.clear();
    this.#counts.set(key, count);
    return count;
  }

  #countOne({ row, end }: RowRange, wanted: WantedKinds): number {
    const { article, change } = this.#rows;
    const { kind, replaced } = this.#articles;
    let count = 0;
    for (let next = row; next < end; next++) {
      if (change[next] >= REPLACES) count += wanted[kind[article[next]]];
      if (change[next] <= REPLACES) count -= wanted[replaced[article[next]]];
    }
    return count;
  }

  #countAll(ranges: readonly RowRange[], wanted: WantedKinds): number {
    const { article, change } = this.#rows;
    const { kind, replaced } = this.#articles;
    if (isCounted.length < kind.length) {
      isCounted = new Uint8Array(kind.length);
      wasCounted = new Uint8Array(kind.length);
    }
    isCounted.fill(0, 0, kind.length);
    wasCounted.fill(0, 0, kind.length);
    let count = 0;
    for (const { row, end } of ranges) {
      for (let next = row; next < end; next++) {
        const one = article[next];
        if (change[next] >= REPLACES && isCounted[one] === 0) {
          isCounted[one] = 1;
          count += wanted[kind[one]];
        }
        if (change[next] <= REPLACES && wasCounted[one] === 0) {
          wasCounted[one] = 1;
          count -= wanted[replaced[one]];
        }
      }
    }
    return count;
  }

  #wantedKinds({ key, passes }: RowFilter): WantedKinds {
    const known = this.#wanted.get(key);
    if (known) return known;
    const wanted = Uint8Array.from(this.#kinds, (kind, number) =>
      Number(number > 0 && passes(kind)),
    );
    if (this.#wanted.size >= limits.serving.selectionCountsMax) this.#wanted.clear();
    this.#wanted.set(key, wanted);
    return wanted;
  }
}

/** Writes the tables that rows of a layer are selected by: see `LIST_SELECTION_TABLE`. */
export class ListSelectionWriter {
  readonly #articles = new Map<string, number>();
  readonly #kinds = new Map<string, number>([['', 0]]);
  /** Kinds of each article: its own, and that of the older row it replaces. */
  readonly #kind: number[] = [];
  readonly #replaced: number[] = [];
  readonly #article: number[] = [];
  readonly #change: number[] = [];

  add({ id, adds, kind, replaced = '' }: WrittenRow): void {
    const article = this.#articles.get(id) ?? this.#newArticle(id);
    // All rows of an article have one kind; a moved article has a row for each of its moments.
    if (adds >= 0) this.#kind[article] = this.#numberOf(kind);
    if (adds <= 0) this.#replaced[article] = this.#numberOf(replaced);
    this.#article.push(article);
    this.#change.push(adds + 1);
  }

  #newArticle(id: string): number {
    const article = this.#articles.size;
    this.#articles.set(id, article);
    this.#kind.push(0);
    this.#replaced.push(0);
    return article;
  }

  #numberOf(kind: string): number {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const number = this.#kinds.size;
    this.#kinds.set(kind, number);
    return number;
  }

  async finish(folder: string, nameOf: (part: string) => string): Promise<ListLayer['selection']> {
    const [rows, articles, kinds] = await allEnded([
      writeColumns(folder, nameOf('selection'), LIST_SELECTION_TABLE, {
        article: Uint32Array.from(this.#article),
        change: Uint8Array.from(this.#change),
      }),
      writeColumns(folder, nameOf('articles'), LIST_ARTICLE_TABLE, {
        kind: Uint32Array.from(this.#kind),
        replaced: Uint32Array.from(this.#replaced),
      }),
      writeColumns(folder, nameOf('kinds'), LIST_KIND_TABLE, { kind: [...this.#kinds.keys()] }),
    ]);
    return { rows, articles, kinds };
  }
}
