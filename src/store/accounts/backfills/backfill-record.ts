/** Types of backfills that clients request over HTTP; what responses show as it is stored has a schema. */

import { z } from 'zod';
import type { Mode } from '../../../base/config/data-dir.ts';

export const BACKFILL_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

export type BackfillState = (typeof BACKFILL_STATES)[number];

/** An uploaded file, and the options that `backfill files` has for it. */
export interface UploadedFile {
  /** Name of the client's file, under which it lies in the folder of the backfill. */
  name: string;
  bytes: number;
  /** Hash of a file that came through object storage; absent: it lies on this machine. */
  sha256?: string;
  symbol?: string;
  interval?: '1d' | '1m' | '5m';
  zone?: string;
  stamps?: 'start' | 'end';
  dates?: 'written' | 'next' | 'previous';
  basis?: 'raw' | 'split' | 'all';
  dateOrder?: 'mdy' | 'dmy' | 'ymd';
  decimal?: 'point' | 'comma';
  complete?: boolean;
  completeFor?: string[];
  column?: string;
}

export interface BackfillOrder {
  /** Name in `backfill <source>`; `files` for an upload. */
  source: string;
  dataset: string;
  /** Canonical; null for all symbols of a file. */
  symbols: string[] | null;
  /** First and last day as ISO dates; null without one. */
  from: string | null;
  to: string | null;
  /** Loads without sanity checks. */
  accept: boolean;
  file: UploadedFile | null;
}

export const backfillProgressSchema = z.strictObject({
  step: z.string(),
  done: z.int(),
  total: z.int(),
});

const triedSchema = z.strictObject({
  source: z.string(),
  outcome: z.string().describe('`not configured`, `unknown symbol`, `rate limited`, …'),
  message: z.string().describe('Cause and remedy in words.'),
});

/** Outcome of a run that has ended; lists are bounded. */
export const backfillResultSchema = z
  .strictObject({
    accepted: z.int().min(0).describe('Rows that were loaded.'),
    refused: z.int().min(0).describe('Rows that break a rule; they are in the quarantine.'),
    refusedByReason: z
      .array(z.strictObject({ reason: z.string(), count: z.int() }))
      .describe('Most frequent first.'),
    loaded: z
      .array(
        z.strictObject({
          dataset: z.string(),
          interval: z.string().nullable().describe('Interval of bars; null for other rows.'),
          rows: z.int(),
          symbols: z.int(),
          from: z.iso.date().nullable(),
          to: z.iso.date().nullable(),
          lastSymbol: z.string().nullable().describe('Symbol with a row of the last day.'),
        }),
      )
      .describe('Loaded rows by dataset.'),
    sources: z
      .array(
        z.strictObject({
          symbol: z.string(),
          source: z.string().nullable().describe('Source that has its bars; null: none has.'),
          isUpToDate: z.boolean().describe('True if all its bars were stored before.'),
          tried: z.array(triedSchema).describe('Sources before that one, and what each said.'),
        }),
      )
      .describe('For the source `any`: where each symbol comes from.'),
    skipped: z
      .array(z.strictObject({ name: z.string(), reason: z.string() }))
      .describe('Symbols and files that gave nothing.'),
    failures: z
      .array(z.strictObject({ title: z.string(), reason: z.string() }))
      .describe('Parts that failed, in the words of the source.'),
    readings: z
      .array(z.string())
      .describe('How each kind of file was read, with the facts that decided.'),
    notes: z.array(z.string()),
  })
  .meta({ id: 'BackfillResult' });

export type BackfillProgress = z.infer<typeof backfillProgressSchema>;

export type BackfillResult = z.infer<typeof backfillResultSchema>;

export interface NewBackfill {
  /** Default: a random one. */
  id?: string;
  account: string;
  mode: Mode;
  order: BackfillOrder;
}

export interface Backfill {
  id: string;
  account: string;
  state: BackfillState;
  /** True once a client has cancelled it. A running one ends soon after. */
  isCancelled: boolean;
  /** Id of the run that retries it; null for its first run. */
  run: string | null;
  order: BackfillOrder;
  progress: BackfillProgress | null;
  /** Process or thing that it waits for, in words; null if for nothing. */
  waitsFor: string | null;
  result: BackfillResult | null;
  /** Reason of the failure in words. */
  error: string | null;
  /** ISO date-times. */
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
}
