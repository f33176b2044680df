/** Writes what the rows of a layer are selected by: see `LIST_SELECTION_TABLE`. */

import type { ListLayer } from '../format/manifest-types.ts';
import { LIST_ARTICLE_TABLE, LIST_KIND_TABLE, LIST_SELECTION_TABLE } from '../format/tables.ts';
import { writeColumns } from '../format/write-table.ts';
import type { WrittenRow } from './specs.ts';

export class ListSelectionWriter {
  /** Numbers of articles by id, and of kinds. */
  readonly #articles = new Map<string, number>();
  readonly #kinds = new Map<string, number>([['', 0]]);
  /** Of each article, kinds. */
  readonly #kind: number[] = [];
  readonly #replaced: number[] = [];
  /** Of each row. */
  readonly #article: number[] = [];
  readonly #change: number[] = [];

  /** Takes the next row of a layer. */
  add({ id, adds, kind, replaced = '' }: WrittenRow): void {
    const article = this.#articles.get(id) ?? this.#newArticle(id);
    // The rows of an article say the same; one that moves to another moment has a row for each.
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

  /** @param nameOf Gives a file's name by what is in it. */
  async finish(folder: string, nameOf: (part: string) => string): Promise<ListLayer['selection']> {
    const [rows, articles, kinds] = await Promise.all([
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
