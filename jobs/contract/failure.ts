/** Kinds of failures, their tries and waits. */

import { isDiskFull } from '../../src/base/disk-full.ts';
import {
  ConfigError,
  DeliveriesFailedError,
  HeldLoadError,
  MalformedInputError,
  ParameterError,
  QueueUnavailableError,
  RateLimitedError,
  SourceBlockedError,
  SourceEmptyError,
  SourceUnavailableError,
  StoreBusyError,
  SubscriptionNeededError,
  TapeworksError,
  UnknownSymbolError,
  UsageError,
} from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { ObjectStoreError } from '../../src/store/objects/object-store.ts';

export const FAILURE_KINDS = [
  'rate-limited',
  'unavailable',
  'refused',
  'malformed',
  'unknown-symbol',
  'empty',
  'wrong-question',
  'doubtful',
  'store',
  'other',
] as const;

export type FailureKind = (typeof FAILURE_KINDS)[number];

export interface Failure {
  kind: FailureKind;
  /** Message for users; never holds a vendor key. */
  reason: string;
  /** Pause that the vendor asked for. */
  retryMs?: number;
}

/** Tries in all, by kind. Other kinds get one try, as the same request would fail the same way. */
const TRIES_MAX: Partial<Record<FailureKind, number>> = {
  'rate-limited': limits.jobs.rateLimitedTriesMax,
  unavailable: limits.jobs.unavailableTriesMax,
  other: limits.jobs.otherTriesMax,
};

const PASSING_CODES = ['EMFILE', 'ENFILE', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE'];

/** Kinds of our errors; the first class that matches counts. */
const KINDS: readonly (readonly [FailureKind, readonly (new (...args: never[]) => Error)[]])[] = [
  ['rate-limited', [RateLimitedError]],
  ['unavailable', [SourceUnavailableError, StoreBusyError, QueueUnavailableError]],
  ['refused', [SubscriptionNeededError, SourceBlockedError, DeliveriesFailedError]],
  ['malformed', [MalformedInputError]],
  ['unknown-symbol', [UnknownSymbolError]],
  ['empty', [SourceEmptyError]],
  ['doubtful', [HeldLoadError]],
  ['wrong-question', [ParameterError, ConfigError, UsageError]],
  ['store', [TapeworksError]],
];

export function failureFrom(error: unknown): Failure {
  const text = error instanceof Error ? error.message || error.name : String(error);
  const said = isDiskFull(error) ? `the disk is full: free space and try again (${text})` : text;
  return {
    kind: kindOf(error),
    reason: said.slice(0, limits.jobs.reasonCharsMax),
    ...(error instanceof RateLimitedError && { retryMs: error.retryMs }),
  };
}

function kindOf(error: unknown): FailureKind {
  if (error instanceof ObjectStoreError && error.isPassing) return 'unavailable';
  const known = KINDS.find(([, classes]) => classes.some((one) => error instanceof one));
  if (known) return known[0];
  const isPassing = PASSING_CODES.includes(String((error as NodeJS.ErrnoException)?.code));
  return isPassing || isDiskFull(error) ? 'unavailable' : 'other';
}

/**
 * Returns the wait before the next try in milliseconds; undefined after the last of `tries` tries.
 */
export function retryAfterMs({ kind, retryMs }: Failure, tries: number): number | undefined {
  if (tries >= (TRIES_MAX[kind] ?? 1)) return undefined;
  const { backoffFirstMs, backoffMaxMs } = limits.jobs;
  return retryMs ?? Math.min(backoffMaxMs, backoffFirstMs * 2 ** (tries - 1));
}

/** Builds the error of a command that waited for the job. */
export function errorFrom({ kind, reason }: Failure): TapeworksError {
  if (kind === 'wrong-question') return new ConfigError(reason);
  return kind === 'doubtful' ? new HeldLoadError(reason) : new TapeworksError(reason);
}
