/** Combines sentiment and source of an article into one text; few of these differ. */

/** Returns the kind of an article; an unknown sentiment is empty. */
export function newsKind(sentiment: string, source: string): string {
  return `${sentiment} ${source.toLowerCase()}`;
}

export function factsOfNewsKind(kind: string): { sentiment: string; source: string } {
  const blank = kind.indexOf(' ');
  return { sentiment: kind.slice(0, blank), source: kind.slice(blank + 1) };
}
