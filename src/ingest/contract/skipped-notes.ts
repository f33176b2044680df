/** Notes of skipped inputs, which travel with the segments of a run. */

import { countText } from '../../base/count-text.ts';
import { SourceEmptyError } from '../../base/errors.ts';
import type { SkippedInput } from './fetch-context.ts';

interface Carrier {
  skipped: SkippedInput[];
}

/** Bounds of the text; `--json` has all names. */
const NAMES_SHOWN = 3;
const REASONS_SHOWN = 3;

export interface SkippedGroup {
  count: number;
  /**
   * `it has zero bytes (a.csv, b.csv, c.csv and 5 more)`. Where names or numbers in the reason differ,
   * it has those of the first input: `a copy of "z.csv" (a.csv; likewise b.csv, c.csv and 5 more)`.
   */
  text: string;
}

/** Groups inputs by reason, those with most inputs first. */
export function skippedGroups(skipped: readonly SkippedInput[]): SkippedGroup[] {
  const groups = Map.groupBy(skipped, ({ reason }) => withoutNames(reason));
  return [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([, inputs]) => {
      const [{ reason }] = inputs;
      const isOne = inputs.every((other) => other.reason === reason);
      const [first, ...others] = inputs
        .slice(0, NAMES_SHOWN)
        .map(({ name, line }) => (line === undefined ? name : `${name} line ${line}`));
      const list = isOne
        ? [first, ...others].join(', ')
        : `${first}; likewise ${others.join(', ')}`;
      const more = inputs.length - NAMES_SHOWN;
      const rest = more > 0 ? ` and ${countText(more)} more` : '';
      return { count: inputs.length, text: `${reason} (${list}${rest})` };
    });
}

/** Takes names and numbers out, so that reasons that differ only in them are one. */
function withoutNames(reason: string): string {
  return reason.replace(/"[^"]*"|\d[\d.,]*/g, '');
}

/** Says in one line why nothing was read; empty where there is no reason. */
export function whyNothing(
  skipped: readonly SkippedInput[],
  rejectedByReason: ReadonlyMap<string, number> = new Map(),
): string {
  const inputs = skippedGroups(skipped).map(({ text }) => text);
  const rows = [...rejectedByReason]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${countText(count)} ${count === 1 ? 'row' : 'rows'}: ${reason}`);
  return [...withRest(inputs), ...withRest(rows)].join('; ');
}

function withRest(reasons: readonly string[]): string[] {
  const more = reasons.length - REASONS_SHOWN;
  return [
    ...reasons.slice(0, REASONS_SHOWN),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'reason' : 'reasons'}`] : []),
  ];
}

export class SkippedNotes {
  readonly #early: SkippedInput[] = [];
  #newest: Carrier | undefined;

  add(name: string, reason: string): void {
    (this.#newest?.skipped ?? this.#early).push({ name, reason });
  }

  /** Yields the segments, each with the notes since the one before it. */
  async *carriedBy<S extends Carrier>(segments: AsyncIterable<S>): AsyncGenerator<S> {
    for await (const segment of segments) {
      segment.skipped.push(...this.#early.splice(0));
      this.#newest = segment;
      yield segment;
    }
  }

  /** @throws {SourceEmptyError} there was no segment; names inputs by reason. */
  requireSegments(title: string, rows = 'bars'): void {
    if (this.#newest) return;
    const reasons = whyNothing(this.#early) || 'for the time asked';
    throw new SourceEmptyError(`${title} gave no ${rows}: ${reasons}`);
  }
}
