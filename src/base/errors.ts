/**
 * The operating errors of Tapeworks, and the assertion for programmer errors.
 *
 * A message says what failed, the value in quotes, and what was expected. One place turns these
 * into HTTP answers (`src/api/http/error-response.ts`) and one into exit codes (`src/cli.ts`).
 */

/** Any failure the program foresees; everything else is a bug. */
export class TapeworksError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A caller's value breaks a rule; `field` names the parameter. */
export class ParameterError extends TapeworksError {
  readonly field: string;

  constructor(field: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.field = field;
  }
}

/** A request that is answered with `status`; the answer carries `headers` besides its own. */
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

/** The command line was used wrongly: exit code 2. */
export class UsageError extends TapeworksError {}

/** A vendor could not be reached, or answered with a failure of its own. */
export class SourceUnavailableError extends TapeworksError {}

/** A vendor was asked too often, and says so; `retryMs` is how long it wants to be left alone. */
export class RateLimitedError extends TapeworksError {
  readonly retryMs: number | undefined;

  constructor(retryMs: number | undefined, message: string, options?: ErrorOptions) {
    super(message, options);
    this.retryMs = retryMs;
  }
}

/** A vendor refuses: the key is missing or wrong, or its plan does not include the question. */
export class PlanNeededError extends TapeworksError {}

/** A vendor that takes no keys refuses this machine: whom it takes for a program, or from where. */
export class SourceBlockedError extends TapeworksError {}

/** A vendor answered properly and has nothing for the question. */
export class SourceEmptyError extends TapeworksError {}

/** A vendor does not know the symbol. */
export class UnknownSymbolError extends TapeworksError {
  readonly symbol: string;

  constructor(symbol: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.symbol = symbol;
  }
}

/** A vendor's body or a file is not of the format its reader knows. */
export class MalformedInputError extends TapeworksError {}

/** Data that would change what is published more than is likely; nothing of them is stored. */
export class DoubtfulLoadError extends TapeworksError {}

/** Of inputs that are loaded together some might be doubtful: alone each is decided on. */
export class SuspectLoadError extends TapeworksError {
  /** Their places among the inputs, ascending. */
  readonly places: readonly number[];
  /** Whether all inputs together are doubtful: then each of these is looked at, however small. */
  readonly isTogether: boolean;

  constructor(places: readonly number[], isTogether: boolean) {
    super(`${places.length} of the inputs that are loaded together might be doubtful`);
    this.places = places;
    this.isTogether = isTogether;
  }
}

/** Another process holds the store; `holder` says which. */
export class StoreBusyError extends TapeworksError {
  readonly holder: string;

  constructor(holder: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.holder = holder;
  }
}

/** Redis cannot be reached, or is not one that jobs are safe in. */
export class QueueUnavailableError extends TapeworksError {}

/** Redis was there, and has forgotten a plan: it kept too little when it died, or failed over. */
export class PlanLostError extends QueueUnavailableError {}

/** The store was written by a newer Tapeworks, or must be upgraded by a writer first. */
export class StoreVersionError extends TapeworksError {}

/** No store exists in this mode yet: nothing was ever loaded. */
export class StoreMissingError extends TapeworksError {}

/** Stored bytes do not match their checksum, or a file of a published version is gone. */
export class CorruptDataError extends TapeworksError {}

/** The file with the key of stored secrets is missing, unreadable or another one than theirs. */
export class SecretKeyError extends TapeworksError {}

/** States what must be true; a failure is a bug in Tapeworks, never an operating error. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`);
}

/** Events that are not sent any more: their receivers have refused them too often. */
export class DeliveriesGivenUpError extends TapeworksError {}
