/** Inputs that gave nothing, handed over with whichever segment there is to carry them. */

import { SourceEmptyError } from '../errors.ts';
import type { SkippedInput } from './fetch-context.ts';

interface Carrier {
  skipped: SkippedInput[];
}

/** `prices.csv, line 2: none of its rows is good: symbol is not a ticker`. */
export function skippedText({ name, line, reason }: SkippedInput): string {
  return `${name}${line === undefined ? '' : `, line ${line}`}: ${reason}`;
}

export class SkippedNotes {
  /** Of inputs before the first segment. */
  readonly #early: SkippedInput[] = [];
  #newest: Carrier | undefined;

  /** @param name As the user knows the input. */
  add(name: string, reason: string): void {
    (this.#newest?.skipped ?? this.#early).push({ name, reason });
  }

  /** The segments, each with the notes since the one before it. */
  async *carriedBy<S extends Carrier>(segments: AsyncIterable<S>): AsyncGenerator<S> {
    for await (const segment of segments) {
      segment.skipped.push(...this.#early.splice(0));
      this.#newest = segment;
      yield segment;
    }
  }

  /**
   * @param rows What was asked for.
   * @throws {SourceEmptyError} there was no segment; names each input with its reason.
   */
  requireSegments(title: string, rows = 'bars'): void {
    if (this.#newest) return;
    const reasons = this.#early.map(({ name, reason }) => `${name}: ${reason}`);
    throw new SourceEmptyError(
      `${title} gave no ${rows} (${reasons.join('; ') || 'for the time asked'})`,
    );
  }
}
