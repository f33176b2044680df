/**
 * Combines the sentiment and source of an article, by which articles are selected, into one text.
 * Few such texts differ, whatever the number of articles.
 */

/**
 * Returns the kind of an article.
 *
 * @param sentiment Empty if it is unknown.
 */
export function newsKind(sentiment: string, source: string): string {
  return `${sentiment} ${source.toLowerCase()}`;
}

export function factsOfNewsKind(kind: string): { sentiment: string; source: string } {
  const blank = kind.indexOf(' ');
  return { sentiment: kind.slice(0, blank), source: kind.slice(blank + 1) };
}
