/** A shape: content that is no plain table of one header and rows, and how it becomes one. */

import type { JsonObject } from '../inputs/json-line.ts';

/** A fact that the form of the content states, never a guess. */
export interface Statement {
  value: string;
  /** The value as a phrase of the report: `UTC`, `daily bars`. */
  words: string;
  facts: readonly string[];
}

export type Statements = Partial<
  Record<'symbol' | 'interval' | 'basis' | 'zone' | 'stamps' | 'currency', Statement>
>;

/** Facts of a file that was rewritten. */
export interface ShapeFacts {
  /** Phrase of the shape: `a header of several lines, as yfinance writes it`. */
  words: string;
  /** Note of the report about the file. */
  note?: string;
  /** Lines that the table has before the file's first one. */
  addedLines: number;
  stated: Statements;
}

/** A bar of a response, and what the response states about it. */
export interface BodyBar {
  bar: JsonObject;
  facts: BodyFacts;
}

export type BodyFacts = Partial<
  Record<'symbol' | 'interval' | 'basis' | 'zone' | 'stamps' | 'currency', string>
>;

/** Start of a text file, cut lazily: most files are plain tables, and their header tells. */
export interface FileStart {
  /** Path below the folder or zip; for a single file, its name. */
  name: string;
  delimiter: string;
  /** Fields of the first line. */
  header: readonly string[];
  /** Fields of the line after the first; none without one. */
  firstRow(): readonly string[];
  /** Fields of the first lines, the header included, as far as the head reaches. */
  lines(): readonly (readonly string[])[];
  /** The first lines as they are, without blank ones. */
  textLines(): readonly string[];
  /** Fields of the last line. */
  last(): readonly string[];
  /** The first and the last bytes as text. */
  head: string;
  tail: string;
}

/** A plain table, of which some lines of the file make the rows. */
export interface Table {
  header: readonly string[];
  /** Lines of the file's own header: 0 for a file without one. Blank lines do not count. */
  headerLines: number;
  /** Delimiter of the lines, where the first one has another. */
  delimiter?: string;
  note?: string;
  stated: Statements;
  /** Rows that a line makes; none leaves it out. */
  rows(fields: readonly string[]): readonly (readonly string[])[];
}

export interface TableShape {
  /** Phrase of the report: `a header of several lines, as yfinance writes it`. */
  words: string;
  /**
   * @returns the table, or undefined for another shape.
   * @throws {MalformedInputError} the content is known, and holds no bars.
   */
  recognise(start: FileStart): Table | undefined;
}

/** Builds a statement whose words are its value. */
export function statement(value: string, fact: string, words = value): Statement {
  return { value, words, facts: [fact] };
}

const TICKER = /^\^?[A-Z0-9][A-Z0-9.\-/^=]{0,11}$/;

/** Returns true for a text that may be a ticker as tools write it, in upper case. */
export function isTickerLike(text: string): boolean {
  return TICKER.test(text) && /[A-Z]/.test(text);
}

const DATE =
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|(?:19|20)\d{6})(?!\d)/;

/** Returns true for a date in digits, with or without a time. */
export function isDateLike(text: string): boolean {
  return DATE.test(text);
}

const NUMBER = /^[$]?[+-]?(?:\d[\d,.'’ \u00a0\u202f]*|\.\d+)(?:e[+-]?\d+)?$/i;

export function isNumberLike(text: string): boolean {
  return NUMBER.test(text);
}
