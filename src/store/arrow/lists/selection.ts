/** What the rows of a layer are selected by, in memory: five bytes a row, eight an article. */

import { limits } from '../../../base/limits/limits.ts';
import type { ListLayer } from '../format/manifest-types.ts';
import { readTable, type TableData } from '../format/table-file.ts';
import { LIST_ARTICLE_TABLE, LIST_KIND_TABLE, LIST_SELECTION_TABLE } from '../format/tables.ts';
import type { RowFilter } from './specs.ts';

/** Rows [row, end) of a layer. */
export interface RowRange {
  row: number;
  end: number;
}

/** By number of a kind whether it is wanted; that of no kind, 0, never is. */
type WantedKinds = Uint8Array;

/** In `LIST_SELECTION_TABLE`. */
const REPLACES = 1;

/** Which articles of several lists were counted: as they are, and as they were. */
let isCounted = new Uint8Array(0);
let wasCounted = new Uint8Array(0);

export class ListSelection {
  readonly #rows: TableData<typeof LIST_SELECTION_TABLE>;
  readonly #articles: TableData<typeof LIST_ARTICLE_TABLE>;
  readonly #kinds: readonly string[];
  /** By the key of a filter. */
  readonly #wanted = new Map<string, WantedKinds>();
  /** By filter and ranges: pages of one walk, and the same first page, count the same rows. */
  readonly #counts = new Map<string, number>();

  /** @throws {CorruptDataError} a file does not match the manifest. */
  constructor(folder: string, { rows, articles, kinds }: NonNullable<ListLayer['selection']>) {
    this.#rows = readTable(folder, rows, LIST_SELECTION_TABLE);
    this.#articles = readTable(folder, articles, LIST_ARTICLE_TABLE);
    this.#kinds = readTable(folder, kinds, LIST_KIND_TABLE).kind;
  }

  /** The kind of the older layer's row that a row stands for or takes away; empty without one. */
  replacedKind(row: number): string {
    const { article, change } = this.#rows;
    if (change[row] > REPLACES) return '';
    return this.#kinds[this.#articles.replaced[article[row]]];
  }

  /** Whether a row is there, and wanted. */
  isWanted(row: number, filter: RowFilter): boolean {
    const { article, change } = this.#rows;
    const wanted = this.#wantedKinds(filter);
    return change[row] >= REPLACES && wanted[this.#articles.kind[article[row]]] === 1;
  }

  /**
   * The next row that is wanted, or that stands for or takes away an older layer's row that was;
   * the end of the range where there is none.
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

  /** What the layer adds to the number of wanted articles; one in several ranges counts once. */
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
