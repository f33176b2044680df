/** Finds fewer faults that still make a night fail. */

/** Nights that are run to shrink one. */
const TRIES_MAX = 40;

/**
 * Takes out parts of the faults, halves first, as long as the night fails without them.
 *
 * @param happened Names of the faults of the failed night.
 * @param fails Runs the night with these faults alone.
 */
export async function shrink(
  happened: readonly string[],
  fails: (allowed: ReadonlySet<string>) => Promise<boolean>,
): Promise<string[]> {
  let kept = [...happened];
  let tries = 0;
  for (let size = Math.ceil(kept.length / 2); size >= 1; ) {
    let isSmaller = false;
    for (let at = 0; at < kept.length && tries < TRIES_MAX; ) {
      const rest = [...kept.slice(0, at), ...kept.slice(at + size)];
      tries++;
      if (await fails(new Set(rest))) {
        kept = rest;
        isSmaller = true;
      } else at += size;
    }
    if (tries >= TRIES_MAX || (size === 1 && !isSmaller)) break;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return kept;
}
