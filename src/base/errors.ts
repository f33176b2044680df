/**
 * Operating errors of Tapeworks, and the assertion for programmer errors.
 *
 * A message says what failed, the value in quotes, and what was expected. Errors become HTTP
 * responses only in `src/api/http/error-response.ts`, and exit codes only in `src/cli.ts`.
 */

/** Any failure that the program foresees; every other error is a bug. */
export class TapeworksError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

interface ParameterErrorOptions extends ErrorOptions {
  details?: Readonly<Record<string, unknown>>;
}

/** A caller's value breaks a rule; `field` names the parameter. */
export class ParameterError extends TapeworksError {
  readonly field: string;
  /** Fields that a response has next to the message, for programs. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(field: string, message: string, options: ParameterErrorOptions = {}) {
    super(message, options);
    this.field = field;
    this.details = options.details ?? {};
  }
}

/** A text is no symbol that is held; `predicate` says why: `is a cryptocurrency`. */
export class SymbolFaultError extends ParameterError {
  readonly predicate: string;

  constructor(field: string, predicate: string, message: string, options?: ErrorOptions) {
    super(field, message, options);
    this.predicate = predicate;
  }
}

/** A symbol names something that is not held. */
export class OtherKindError extends SymbolFaultError {}

/** A symbol may mean two securities. */
export class UnclearSymbolError extends SymbolFaultError {}

/** Returns what `read` returns, or `otherwise` if it throws a `ParameterError`. */
export function validOr<T, F>(read: () => T, otherwise: F): T | F {
  try {
    return read();
  } catch (error) {
    if (error instanceof ParameterError) return otherwise;
    throw error;
  }
}

/** A request whose response has this `status`, with `headers` in addition to the usual ones. */
export class HttpError extends TapeworksError {
  readonly status: number;
  readonly headers: readonly string[];

  /** @param headers Names and values in turn. */
  constructor(status: number, message: string, headers: readonly string[] = []) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** An environment variable is unknown or breaks its rule. */
export class ConfigError extends TapeworksError {}

/** A folder that a setting names can't be made, read or written to; the message names the setting. */
export class DataFolderError extends TapeworksError {}

/** The command line is wrong: exit code 2. */
export class UsageError extends TapeworksError {}

/** A vendor could not be reached, or responded with a failure of its own. */
export class SourceUnavailableError extends TapeworksError {}

/** A vendor refuses because of too many requests; `retryMs` is the pause that it names. */
export class RateLimitedError extends TapeworksError {
  readonly retryMs: number | undefined;

  constructor(retryMs: number | undefined, message: string, options?: ErrorOptions) {
    super(message, options);
    this.retryMs = retryMs;
  }
}

/** The key is missing or wrong, or the subscription does not include the request. */
export class SubscriptionNeededError extends TapeworksError {}

/** A vendor without keys refuses this machine or this client. */
export class SourceBlockedError extends TapeworksError {}

/** A vendor responded properly, but has no data for the request. */
export class SourceEmptyError extends TapeworksError {}

/** A vendor does not know the symbol. */
export class UnknownSymbolError extends TapeworksError {
  readonly symbol: string;

  constructor(symbol: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.symbol = symbol;
  }
}

/** A vendor's body or a file is not in the format that its reader expects. */
export class MalformedInputError extends TapeworksError {}

/** Part of a reason to hold a load that would take served bars away. */
export const SERVES_LESS = 'served with less than before';

/** Part of a reason to hold a price that moves like an unknown split. */
export const LIKE_SPLIT = 'like a split of';

/** Part of a reason to hold bars that contradict a split. */
export const CONTRADICTS_SPLIT = 'known split';

/** Part of a reason to hold a bar of which files of one load have two prices. */
export const FILES_APART = 'two prices of one bar in the files of the load';

/** A symbol of a load that a sanity check holds, as the input names it. */
export interface HeldSymbol {
  symbol: string;
  reason: string;
}

/** A daily bar of a held symbol: its newest one, or one that contradicts a served bar. */
export interface AwaitedBar {
  symbol: string;
  day: number;
  /** True if a bar of that day or a later one was served when it was held. */
  isReplacing?: boolean;
  /** Close of a replacing bar, as it would be served. */
  close?: number;
}

/**
 * A load held by a sanity check; nothing of it is stored. The message has no remedy, since users of
 * the command line, the API and the page accept a load in different ways.
 */
export class HeldLoadError extends TapeworksError {
  /** Folder with rejected rows of the load, for users of this machine. */
  readonly rejectedIn: string | undefined;
  /** Symbols that are held, if the check is one of symbols. */
  readonly symbols: readonly HeldSymbol[];
  /** True if the other symbols can be loaded without these. */
  readonly isPartial: boolean;
  /** Bars of the held symbols. Another load that brings them ends the hold. */
  readonly awaited: readonly AwaitedBar[];

  constructor(
    message: string,
    {
      rejectedIn,
      symbols = [],
      isPartial = false,
      awaited = [],
    }: {
      rejectedIn?: string;
      symbols?: readonly HeldSymbol[];
      isPartial?: boolean;
      awaited?: readonly AwaitedBar[];
    } = {},
  ) {
    super(message);
    this.rejectedIn = rejectedIn;
    this.symbols = symbols;
    this.isPartial = isPartial;
    this.awaited = awaited;
  }

  /** True if a price moves like a split that no action states. */
  get looksLikeSplit(): boolean {
    return this.message.includes(LIKE_SPLIT);
  }

  /** True if accepting it divides prices by a split twice, or never. */
  get contradictsSplit(): boolean {
    return this.message.includes(CONTRADICTS_SPLIT);
  }

  /** True if accepting it serves one of two files without knowing which is right. */
  get contradictsFiles(): boolean {
    return this.message.includes(FILES_APART);
  }

  /** True if accepting it takes served bars away: no advice may name that as the remedy. */
  get servesLess(): boolean {
    // Another process may have held it, of which only the message is known.
    return this.message.includes(SERVES_LESS);
  }
}

/** Inputs of a batch that may have to be held; each is then checked alone. */
export class HoldCandidatesError extends TapeworksError {
  /** Places of these inputs among all, ascending. */
  readonly places: readonly number[];
  /** True if the batch as a whole would be held; then even small inputs are checked. */
  readonly isTogether: boolean;

  constructor(places: readonly number[], isTogether: boolean) {
    super(`${places.length} of the inputs that are loaded together may have to be held`);
    this.places = places;
    this.isTogether = isTogether;
  }
}

/** Another process holds the store; `holder` names it. */
export class StoreBusyError extends TapeworksError {
  readonly holder: string;

  constructor(holder: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.holder = holder;
  }
}

/** Postgres of the accounts can't be reached, or has not been for too long. */
export class AccountsUnreachableError extends TapeworksError {}

/** The database that should get accounts has some. */
export class AccountsExistError extends TapeworksError {}

/** Redis can't be reached, or its settings are not safe for jobs. */
export class QueueUnavailableError extends TapeworksError {}

/** Redis has lost a run: it persisted too little before it died, or failed over. */
export class RunLostError extends QueueUnavailableError {}

/** A newer Tapeworks wrote the store, or a writer must upgrade it first. */
export class StoreVersionError extends TapeworksError {}

/** No store exists in this mode: no data was ever loaded. */
export class StoreMissingError extends TapeworksError {}

/** Stored bytes do not match their checksum, or a file of a published version is gone. */
export class CorruptDataError extends TapeworksError {}

/** The file with the key of stored secrets is missing, unreadable or holds another key. */
export class SecretKeyError extends TapeworksError {}

/** Throws if a condition is false. A failure is a bug in Tapeworks, never an operating error. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`);
}

/** Deliveries that are given up: their receivers have refused them too often. */
export class DeliveriesFailedError extends TapeworksError {}
