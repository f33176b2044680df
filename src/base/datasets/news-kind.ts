/** What articles are selected by, in one text: few differ, whatever the number of articles. */

/** @param sentiment Empty where it is unknown. */
export function newsKind(sentiment: string, source: string): string {
  return `${sentiment} ${source.toLowerCase()}`;
}

export function factsOfNewsKind(kind: string): { sentiment: string; source: string } {
  const blank = kind.indexOf(' ');
  return { sentiment: kind.slice(0, blank), source: kind.slice(blank + 1) };
}
