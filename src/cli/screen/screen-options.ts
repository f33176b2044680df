/** Options of the verb. */

import { FORMATS } from '../export/formats.ts';
import type { ModeOptions } from '../options.ts';

export const SCREEN_FORMATS = ['json', ...FORMATS] as const;

export interface ScreenOptions extends ModeOptions {
  columns?: string;
  sort?: string;
  order?: string;
  limit?: number;
  asOf?: string;
  from?: string;
  to?: string;
  begins?: boolean;
  currentFields?: boolean;
  /** Symbols to explain. */
  explain?: readonly string[];
  /** Query text of further parameters. */
  filter?: string;
  format?: (typeof SCREEN_FORMATS)[number];
  out?: string;
  force?: boolean;
}

/** Rows of a table for people; a file has all. */
export const ROWS_DEFAULT = 50;
