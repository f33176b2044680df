/** Collects the loads that sanity checks hold, and fails at the end of the run. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { HeldLoadError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import type { PublishedQuotes } from '../../src/base/published-quotes.ts';
import { existsSync } from '../../src/base/world/files.ts';
import type { Fetched, SkippedInput } from '../../src/ingest/contract/fetch-context.ts';
import { whyNothing } from '../../src/ingest/contract/skipped-notes.ts';
import { FILLED_DAY, INCOMPLETE_BAR, INCOMPLETE_DAY } from '../../src/ingest/segments/row-rules.ts';
import { readPublishedQuotes } from '../../src/store/arrow/snapshot/published-quotes.ts';
import type { LoadGuard } from '../../src/store/duckdb/holds/load-guard.ts';
import type { RunDeps } from '../contract/reports.ts';
import type { PartsHeld } from './load-parts.ts';

export class Holds {
  readonly #paths: Pick<ModePaths, 'serving' | 'quarantine'>;
  readonly #guarded: NonNullable<RunDeps['guarded']>;
  readonly #found: string[] = [];
  readonly #parts: (PartsHeld & { origin: string })[] = [];
  readonly #accepted: ReadonlySet<string> | undefined;
  readonly #rejected = new Set<ReadonlyMap<string, number>>();
  #published: PublishedQuotes | undefined | null = null;

  constructor(
    paths: Pick<ModePaths, 'serving' | 'quarantine'>,
    { guarded = 'large', accepted }: Pick<RunDeps, 'guarded' | 'accepted'>,
  ) {
    this.#accepted = accepted && new Set(accepted);
    this.#paths = paths;
    this.#guarded = guarded;
  }

  /**
   * Returns the sanity checks of a load, if it has any. Its rejected rows may grow until they run.
   *
   * @param isChecked True to check the load however small it is.
   */
  guard(segment: Fetched, isChecked = false): LoadGuard | undefined {
    if (this.#guarded === 'none') return undefined;
    const { rejectedByReason } = segment;
    // Rejected rows of a part are among those of its whole.
    const isPart = 'part' in segment && segment.part !== undefined;
    if (!isPart) this.#rejected.add(rejectedByReason);
    if (this.#published === null) this.#published = readPublishedQuotes(this.#paths.serving);
    return {
      isScheduled: this.#guarded === 'all' || isChecked,
      published: this.#published,
      accepted: this.#accepted,
      earlyRows: () =>
        [INCOMPLETE_BAR, INCOMPLETE_DAY, FILLED_DAY].reduce(
          (sum, reason) => sum + (rejectedByReason.get(reason) ?? 0),
          0,
        ),
    };
  }

  /** Records an input of which nothing is loaded. */
  add(reason: string): void {
    this.#found.push(reason);
  }

  /** Records an input of which some symbols are not loaded. */
  addSymbols({ origin, rejectedByReason }: Fetched, held: PartsHeld): void {
    this.#parts.push({ origin, ...held });
    this.#rejected.add(rejectedByReason);
  }

  /**
   * Throws if loads were held.
   *
   * @param loaded Number of loaded inputs.
   * @param skipped Inputs that gave nothing.
   * @param notes Notes on what was loaded, which no report has then.
   * @throws {HeldLoadError} with the held inputs and their numbers.
   */
  throwHeld(
    loaded: number,
    skipped: readonly SkippedInput[] = [],
    notes: readonly string[] = [],
  ): void {
    const { length: count } = this.#found;
    if (count + this.#parts.length === 0) return;
    const { quarantine } = this.#paths;
    const shown = this.#found.slice(0, limits.sanity.shownMax);
    if (count > shown.length) shown.push(`and ${count - shown.length} more`);
    const rest = loaded > 0 ? `; the other ${loaded} are published` : '';
    const hasRejected = this.#rejected.values().some((byReason) => byReason.size > 0);
    const inputs =
      count + loaded === 1 ? '1 input was' : `${count} of ${count + loaded} inputs were`;
    const wholes = `${inputs} held by a sanity check and not loaded${rest}: ${shown.join('. ')}`;
    const noted = notes.map(
      (note) =>
        `Note: ${note.replace('\n  ', ' ').replaceAll('\n  ', '; ').replaceAll('\n', '. ')}`,
    );
    const texts = [
      ...(count > 0 ? [wholes] : []),
      ...this.#partTexts(),
      ...(hasRejected ? [`Rejected: ${this.#rejectedText()}`] : []),
      ...noted,
    ];
    if (skipped.length > 0) texts.push(`Skipped: ${whyNothing(skipped)}`);
    throw new HeldLoadError(
      texts.map((text, i) => (i + 1 < texts.length ? text.replace(/\.$/, '') : text)).join('. '),
      {
        // Rejected lines of a directory are not kept.
        rejectedIn: hasRejected && existsSync(quarantine) ? quarantine : undefined,
        symbols: this.#parts.flatMap(({ symbols }) => symbols),
        isPartial: count === 0,
      },
    );
  }

  #rejectedText(): string {
    const counts = new Map<string, number>();
    for (const [reason, count] of [...this.#rejected].flatMap((byReason) => [...byReason])) {
      counts.set(reason, (counts.get(reason) ?? 0) + count);
    }
    return whyNothing([], counts);
  }

  #partTexts(): string[] {
    const shown = this.#parts.slice(0, limits.sanity.shownMax);
    const more = this.#parts.length - shown.length;
    return [
      ...shown.map(({ origin, symbols, loadedCount, reason }) => {
        const are = symbols.length === 1 ? '1 symbol is' : `${symbols.length} symbols are`;
        const why = reason.replaceAll(`${origin}: `, '');
        return `${are} held by a sanity check and not loaded, the other ${loadedCount} of ${origin} are published: ${why}`;
      }),
      ...(more > 0 ? [`and ${more} more inputs with held symbols`] : []),
    ];
  }
}
