/** What a file of routes gives to the app. */

import type { Mode } from '../../base/config/data-dir.ts';
import type { ServingReader } from '../../store/arrow/snapshot/snapshot.ts';
import type { Accounts } from '../../store/sqlite/accounts.ts';
import type { ValidKey } from '../../store/sqlite/keys/key-record.ts';
import type { RouteContract } from '../docs/openapi/contract.ts';
import type { SnapshotAnswers } from '../responses/snapshot-cache.ts';
import type { RouteMethod } from './methods.ts';
import type { Exchange } from './request-context.ts';
import type { Answer } from './response.ts';

/** What routes read from. */
export interface RouteSources {
  readers: Record<Mode, ServingReader>;
  answers: SnapshotAnswers;
  /** Signs cursors. */
  cursorSecret: Uint8Array;
  accounts: Accounts;
  /** Webhooks may lead to private networks and this machine, by http too. */
  webhookPrivate: boolean;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** An exchange whose key has been checked against the route's scope and limit. */
export type AdmittedExchange = Exchange & { key: ValidKey };

/** One method of a path under `/v1`; HEAD follows from GET, and OPTIONS from all of them. */
export interface Route {
  /** Default: GET. */
  method?: RouteMethod;
  /** As in the API description: `/svc/quotes/{symbol}`. */
  template: string;
  /** What the API description says of it. */
  contract: RouteContract;
  /** @throws {HttpError | ParameterError} as the one place that answers errors knows them. */
  answer(exchange: AdmittedExchange): Answer | Promise<Answer>;
}

/** A GET that needs no key. */
export interface PublicRoute {
  path: string;
  /** Absent of pages for people, which the API description does not have. */
  contract?: RouteContract;
  /** @throws {HttpError} to those who may not ask, whatever the method. Default: all may. */
  check?(exchange: Exchange): void;
  answer(exchange: Exchange): Answer | Promise<Answer>;
}
