/** Messages between the threads that respond to requests and the thread that runs screens. */

import type { Mode } from '../../base/config/data-dir.ts';
import type { ScreenerNumber } from '../../base/fields.ts';
import type { SymbolExpression } from '../../base/symbol-expression.ts';
import type { ScreenTexts } from '../../screens/language/expression-error.ts';
import type { SortDirection } from '../../screens/plan/sort-order.ts';
import type { Format } from '../http/format.ts';
import type { ScreenerPlace } from '../responses/screener-place.ts';
import type { StudyRequest } from '../study/request.ts';
import type { StudyResult } from '../study/respond.ts';
import type { DaysRequest } from '../study/screened-days.ts';
import type { SentError } from './sent-error.ts';

/** A page of a screen, as a request wants it. */
export interface ScreenRequest {
  mode: Mode;
  /** Accounts take turns on the thread. */
  account: string;
  /** Without `sort` if that is a column of the table. */
  texts: ScreenTexts;
  /** Expressions over columns of the table. */
  filters: readonly SymbolExpression[];
  /** Canonical symbols; undefined: all. */
  symbols: readonly string[] | undefined;
  /** Column of the table to sort by, unless `texts.sort` is an expression. */
  sort: ScreenerNumber;
  direction: SortDirection;
  limit: number;
  /** Significant digits of computed columns; undefined: all. */
  digits?: number | undefined;
  format: Format;
  isExplained: boolean;
  /** Days since the epoch; undefined: the newest bar of each symbol. */
  asOfDay: number | undefined;
  /** End of the page before. */
  place: ScreenerPlace | undefined;
}

export interface ScreenPage {
  /** JSON texts of the rows, joined by commas; bytes in other formats. */
  rows: string | Uint8Array<ArrayBuffer>;
  total: number;
  /** Last row, if there is a next page. */
  next: ScreenerPlace | undefined;
  /** True if the walk has left the version that it began in. */
  isChanged: boolean;
  /** Session that the rows show, `YYYY-MM-DD`; undefined for the newest bars. */
  asOf: string | undefined;
  /** Symbols of the page whose prices as of the day have later splits or dividends in them. */
  adjusted: readonly string[];
  /** Requested symbols that the screen has no row of. */
  notFound: readonly string[];
  /** Fields or conditions without a value for any symbol, if there is no row. */
  nulls: readonly string[];
  /** Time from the arrival at the thread to the page. */
  totalMs: number;
  /** Time in which the screen was computed, tick by tick; 0 if its result was kept. */
  workMs: number;
}

/** A study or a screen over days, as a request wants it. */
export interface StudyMessage {
  mode: Mode;
  /** Accounts take turns on the thread. */
  account: string;
  request: StudyRequest | DaysRequest;
}

export interface StudyBody extends StudyResult {
  totalMs: number;
  /** Time in which the study was computed. */
  workMs: number;
}

/** Message to the thread. */
export type ScreenMessage =
  | { kind: 'page'; id: number; request: ScreenRequest }
  | { kind: 'study'; id: number; study: StudyMessage }
  /** Check the texts of a screen. */
  | { kind: 'check'; id: number; texts: ScreenTexts }
  /** The client of a request has disconnected. */
  | { kind: 'cancel'; id: number };

/** Message from the thread. */
export type ScreenReply =
  | { kind: 'page'; id: number; page: ScreenPage }
  | { kind: 'studied'; id: number; study: StudyBody }
  | { kind: 'checked'; id: number; canonical: string }
  | { kind: 'error'; id: number; error: SentError };
