/** What a run does not believe: collected while it goes on with the rest, and told at its end. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { DoubtfulLoadError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits/limits.ts';
import type { PublishedQuotes } from '../../src/base/published-quotes.ts';
import type { SkippedInput } from '../../src/ingest/contract/fetch-context.ts';
import { whyNothing } from '../../src/ingest/contract/skipped-notes.ts';
import { INCOMPLETE_BAR, INCOMPLETE_DAY } from '../../src/ingest/segments/row-rules.ts';
import { readPublishedQuotes } from '../../src/store/arrow/snapshot/published-quotes.ts';
import type { LoadGuard } from '../../src/store/duckdb/doubts/load.ts';
import type { RunDeps } from '../contract/reports.ts';

export class Holds {
  readonly #paths: Pick<ModePaths, 'serving' | 'quarantine'>;
  readonly #guarded: NonNullable<RunDeps['guarded']>;
  readonly #found: string[] = [];
  readonly #rejected = new Set<ReadonlyMap<string, number>>();
  /** Null until it is asked for. */
  #published: PublishedQuotes | undefined | null = null;

  constructor(
    paths: Pick<ModePaths, 'serving' | 'quarantine'>,
    { guarded = 'large' }: Pick<RunDeps, 'guarded'>,
  ) {
    this.#paths = paths;
    this.#guarded = guarded;
  }

  /**
   * @param rejectedByReason Of the load; it may grow until the guard looks at it.
   * @param isSuspect Whether it is looked at however small it is.
   */
  guard(rejectedByReason: ReadonlyMap<string, number>, isSuspect = false): LoadGuard | undefined {
    if (this.#guarded === 'none') return undefined;
    this.#rejected.add(rejectedByReason);
    if (this.#published === null) this.#published = readPublishedQuotes(this.#paths.serving);
    return {
      isScheduled: this.#guarded === 'all' || isSuspect,
      published: this.#published,
      earlyRows: () =>
        (rejectedByReason.get(INCOMPLETE_BAR) ?? 0) + (rejectedByReason.get(INCOMPLETE_DAY) ?? 0),
    };
  }

  /** Runs a load; a doubtful one is noted, and `hold` given its reason. */
  async collect(load: () => Promise<void>, hold: (reason: string) => Promise<void>): Promise<void> {
    try {
      await load();
    } catch (error) {
      if (!(error instanceof DoubtfulLoadError)) throw error;
      await hold(error.message);
      this.#found.push(error.message);
    }
  }

  /**
   * @param loaded How many inputs were believed.
   * @param skipped Inputs that gave nothing, which a report would name.
   * @throws {DoubtfulLoadError} there are some that were not.
   */
  tell(loaded: number, skipped: readonly SkippedInput[] = []): void {
    const { length: count } = this.#found;
    if (count === 0) return;
    const shown = this.#found.slice(0, limits.doubt.toldMax);
    if (count > shown.length) shown.push(`and ${count - shown.length} more`);
    const rest = loaded > 0 ? `; the other ${loaded} are published` : '';
    const hasRejected = this.#rejected.values().some((byReason) => byReason.size > 0);
    const look = hasRejected ? `Look at rejected rows in "${this.#paths.quarantine}". ` : '';
    const inputs = count + loaded === 1 ? '1 input is' : `${count} of ${count + loaded} inputs are`;
    throw new DoubtfulLoadError(
      `${inputs} doubtful and not loaded${rest}: ${shown.join('. ')}. ${look}` +
        'If all is right, say so with --accept (backfill or jobs retry)' +
        (skipped.length > 0 ? `. Skipped: ${whyNothing(skipped)}` : ''),
    );
  }
}
