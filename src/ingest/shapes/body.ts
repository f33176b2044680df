/** Bars of a response, and what it states about them. */

export type JsonObject = Record<string, unknown>;

/** Facts that a response states about its bars. */
export type BodyFacts = Partial<
  Record<'symbol' | 'interval' | 'basis' | 'zone' | 'currency', string>
>;

export interface BodyBar {
  bar: JsonObject;
  facts: BodyFacts;
}
