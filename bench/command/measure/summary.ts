/** Medians and spread of measured times. */

/** Distribution of samples. The middle half lies between the quartiles. */
export interface Summary {
  count: number;
  min: number;
  lowerQuartile: number;
  median: number;
  upperQuartile: number;
  max: number;
}

/**
 * Summarises samples. Quantiles are interpolated between the two nearest samples.
 *
 * @param samples In any order; at least one.
 */
export function summaryOf(samples: readonly number[]): Summary {
  const sorted = Float64Array.from(samples).sort();
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const below = Math.floor(place);
    const above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
  };
  return {
    count: sorted.length,
    min: sorted[0],
    lowerQuartile: at(0.25),
    median: at(0.5),
    upperQuartile: at(0.75),
    max: sorted[sorted.length - 1],
  };
}

/** Returns the middle sample, the upper one of two. */
export function medianOf(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[samples.length >> 1];
}

/** Returns half the distance between the quartiles as a share of the median. */
export function spreadOf({ lowerQuartile, median, upperQuartile }: Summary): number {
  return (upperQuartile - lowerQuartile) / 2 / median;
}
