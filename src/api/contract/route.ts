/** A route: the declaration from which the app, the API description and the docs are made. */

import type { z } from 'zod';
import type { Mode } from '../../base/config/data-dir.ts';
import type { ObjectPlace } from '../../base/config/object-place.ts';
import type { Accounts } from '../../store/accounts/records/contract.ts';
import type { ServingReader } from '../../store/arrow/snapshot/snapshot.ts';
import type { FileSetReader } from '../../store/parquet/file-sets.ts';
import type { RouteAccess } from '../access/admission.ts';
import type { FileLinks } from '../access/file-links.ts';
import type { Idempotent } from '../access/idempotent.ts';
import type { Format } from '../http/format.ts';
import type { RouteMethod } from '../http/methods.ts';
import type { AdmittedContext, RequestContext } from '../http/request-context.ts';
import type { ApiResponse } from '../http/response.ts';
import type { SnapshotCache } from '../responses/cached.ts';
import type { Cursors } from '../responses/cursor.ts';
import type { Screens } from '../screens/client.ts';
import type { Streams } from '../streams/streams.ts';
import type { ErrorStatus } from './error-responses.ts';
import type { ResponseHeader } from './response-headers.ts';
import type { Tag } from './tags.ts';

/** One method of a path under `/v1`; HEAD follows from GET, and OPTIONS from all of them. */
export interface Route {
  /** Default: GET. */
  method?: RouteMethod;
  /** Path as in the API description: `/svc/quotes/{symbol}`. */
  template: string;
  access: RouteAccess;
  /** Caches responses for a second; for pages, which no longer cache can hold. */
  isPageCached?: true;
  /** Charges what a page costs beyond `access.tokens`, also one that is cached. */
  charge?(context: AdmittedContext): void;
  contract: RouteContract;
  /** @throws {HttpError | ParameterError} `error-response.ts` turns them into responses. */
  respond(context: AdmittedContext, sources: RouteSources): ApiResponse | Promise<ApiResponse>;
}

/** State of the server that routes work with. */
export interface RouteSources {
  readers: Record<Mode, ServingReader>;
  /** Parquet files of recent versions. */
  files: Record<Mode, FileSetReader>;
  /** Signs addresses of files. */
  links: FileLinks;
  accounts: Accounts;
  /** Caches responses of a snapshot. */
  cached: SnapshotCache;
  cursors: Cursors;
  screens: Screens;
  streams: Streams;
  /** Handles `Idempotency-Key`. */
  once: Idempotent;
  /** Allows webhooks to private networks and this machine, also by http. */
  webhookPrivate: boolean;
  /** Returns true if a process runs the backfills that clients request. */
  jobsRun: () => boolean;
  /** Folder of uploaded files. */
  uploads: string;
  /** Object storage to the machine that loads; undefined: it has the same folder. */
  sharedUploads: ObjectPlace | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** One method of a path without a key. */
export interface PublicRoute {
  /** Default: GET. */
  method?: RouteMethod;
  path: string;
  /** Absent for pages for people, which the API description omits. */
  contract?: RouteContract;
  /** Rejects unauthorized requests of any method. Default: accepts all. @throws {HttpError} */
  check?(context: RequestContext): void;
  respond(context: RequestContext): ApiResponse | Promise<ApiResponse>;
}

/** Description of a route's requests and responses. */
export interface RouteContract {
  /** Stable, in camelCase: the function's name in generated clients. */
  operationId: string;
  tag: Tag;
  /** A verb and a noun, without a full stop. */
  summary: string;
  /** Full sentences, in paragraphs; `code` between back-quotes is the only markup. */
  description: string;
  /** A schema for each parameter of the template. */
  path?: z.ZodObject;
  /** The schema that requests are checked against. Absent: the app rejects every parameter. */
  query?: z.ZodObject;
  /** The schema that bodies are checked against; absent if none is read. */
  body?: z.ZodObject;
  /** True if the body is a file instead. */
  upload?: true;
  /** True if `Idempotency-Key` is supported. */
  isIdempotent?: true;
  /** Status of a success; default 200. */
  status?: 200 | 201 | 202 | 204;
  /** Schema of the JSON response; absent if it has no body or is never JSON. */
  response?: z.ZodType;
  /** An example of the events, if the response is a stream of server-sent events. */
  eventStream?: string;
  /** Formats, the default one first; absent: JSON alone. */
  formats?: readonly Format[];
  /** True if responses have an `ETag`, which enables 304. */
  isTagged?: true;
  /** True if `Range`, `If-Range` and `If-Match` are supported. */
  isRanged?: true;
  /** Headers of the response in addition to those of every one. */
  headers?: readonly ResponseHeader[];
  /**
   * Error statuses, each with a message. The API description adds those that follow from the other
   * fields; a message here replaces its message.
   */
  errors?: Readonly<Partial<Record<ErrorStatus, string>>>;
  /** Errors with more fields than the envelope. */
  errorDetails?: Readonly<Partial<Record<ErrorStatus, ErrorDetails>>>;
  examples: readonly [RouteExample, ...RouteExample[]];
}

/** A request as a client sends it, and its response. */
export interface RouteExample {
  /** A few words. */
  title: string;
  /** Values of path parameters, decoded. */
  path?: Readonly<Record<string, string>>;
  /** Values of query parameters, decoded. */
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** The JSON response, which fits its schema; absent if there is no JSON. */
  response?: unknown;
  /** The CSV response, if it does not follow from `response` field by field. */
  csv?: string;
}

export interface ErrorDetails {
  /** Schema of the whole response. */
  schema: z.ZodType;
  /** The additional fields. */
  example: Record<string, unknown>;
}
