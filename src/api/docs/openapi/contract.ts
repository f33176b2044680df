/** What a route says of itself for the API description, beside its scope and tokens. */

import type { z } from 'zod';
import type { Format } from '../../http/format.ts';
import type { RouteMethod } from '../../http/methods.ts';
import type { RouteAccess } from '../../http/route-access.ts';
import type { AnswerHeader } from './answer-headers.ts';
import type { Tag } from './tags.ts';

/** A request as a client sends it, and what it is answered. */
export interface RouteExample {
  /** What the request asks, in a few words. */
  title: string;
  /** Values of the path's parameters, decoded. */
  path?: Readonly<Record<string, string>>;
  /** Values of query parameters, decoded. */
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** The JSON answer; fits the schema of the answer. Absent where there is no JSON. */
  answer?: unknown;
  /** The same as CSV, where it does not follow from `answer` field by field. */
  csv?: string;
}

/** An error that says more than the envelope. */
export interface ErrorDetails {
  /** Of the whole answer. */
  schema: z.ZodType;
  /** Its further fields. */
  example: Record<string, unknown>;
}

export interface RouteContract {
  /** Stable and in camelCase: generated clients call their functions so. */
  operationId: string;
  tag: Tag;
  /** A few words without a full stop. */
  summary: string;
  /** Full sentences, in paragraphs; `code` between back-quotes is the only markup. */
  description: string;
  /** A schema for each parameter of the template. */
  path?: z.ZodObject;
  /** The very schema that requests are checked against. */
  query: z.ZodObject;
  /** The very schema that bodies are checked against; absent where none is read. */
  body?: z.ZodObject;
  /** Whether `Idempotency-Key` is taken. */
  isIdempotent?: true;
  /** Of an answer without failure; default 200. */
  status?: 200 | 201 | 202 | 204;
  /** Of its JSON; absent where it has no body or is never JSON. */
  answer?: z.ZodType;
  /** Those that can be asked for, the preferred one first; default JSON alone. */
  formats?: readonly Format[];
  /** Whether it has an `ETag`, and may so be answered 304. */
  isTagged?: true;
  /** Headers of this answer beside those of every one. */
  headers?: readonly AnswerHeader[];
  /**
   * Error statuses and a message of each. Those that follow from what is said above need not
   * stand here: `error-answers.ts` knows them; a message here takes the place of its one.
   */
  errors?: Readonly<Partial<Record<ErrorStatus, string>>>;
  /** What errors hold beside the envelope. */
  errorDetails?: Readonly<Partial<Record<ErrorStatus, ErrorDetails>>>;
  examples: readonly [RouteExample, ...RouteExample[]];
}

export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 406
  | 408
  | 409
  | 413
  | 414
  | 415
  | 429
  | 431
  | 500
  | 503;

/** A route as the API description knows it. */
export interface DescribedRoute {
  method: RouteMethod;
  /** Under `/v1`, or from the root where `isOutside`. */
  template: string;
  isOutside: boolean;
  contract: RouteContract;
  /** Undefined where no key is needed. */
  access: RouteAccess | undefined;
}
