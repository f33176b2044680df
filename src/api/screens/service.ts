/**
 * Runs screens in small steps, between which it reads messages and starts other screens. It belongs
 * on a thread of its own.
 */

import type { MessagePort } from 'node:worker_threads';
import type { Mode } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import { randomFraction } from '../../base/world/chance.ts';
import { clearInterval, monotonicMs, setInterval } from '../../base/world/clock.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { type StudyResult, studySteps } from '../study/respond.ts';
import type { ScreenMessage, ScreenReply, ScreenRequest, StudyMessage } from './messages.ts';
import { screenPage } from './page.ts';
import { runName, type ScreenReaders, ScreenResults } from './screen-results.ts';
import type { Screened } from './screened.ts';
import { sentError } from './sent-error.ts';
import { SharedRuns } from './shared-runs.ts';
import { writtenRows } from './written-rows.ts';

export interface ScreenService {
  /** Serves the requests that arrive at a port until its other side is closed. */
  accept(port: MessagePort): void;
  /** Holds a version in which a walk of another machine may continue. */
  hold(mode: Mode, version: Snapshot): void;
  /** Cancels what runs, and closes all ports. */
  close(): void;
}

/** A page of a screen that a request waits for. */
interface PageWaiter {
  port: MessagePort;
  id: number;
  request: ScreenRequest;
  isChanged: boolean;
  arrivedMs: number;
}

/** @param verifiedShare Share of requests whose screens are computed again and compared. */
export function startScreenService(readers: ScreenReaders, verifiedShare = 0): ScreenService {
  const results = new ScreenResults(readers);
  const runs = new SharedRuns(fail);

  function reply(port: MessagePort, message: ScreenReply): void {
    const kept = message.kind === 'page' ? message.page.rows : '';
    port.postMessage(message, typeof kept === 'string' ? [] : [kept.buffer]);
  }

  function fail({ port, id }: { port: MessagePort; id: number }, error: unknown): void {
    reply(port, { kind: 'error', id, error: sentError(error) });
  }

  function respond(
    { port, id, request, isChanged, arrivedMs }: PageWaiter,
    snapshot: Snapshot,
    screened: Screened,
    workMs: number,
  ): void {
    const page = screenPage(snapshot, screened, request, isChanged, (rows) =>
      writtenRows(screened, rows, request),
    );
    if (page.next) results.hold(request.mode, snapshot);
    const totalMs = monotonicMs() - arrivedMs;
    reply(port, { kind: 'page', id, page: { ...page, totalMs, workMs } });
  }

  function receivePage(port: MessagePort, id: number, request: ScreenRequest): void {
    const arrivedMs = monotonicMs();
    const { snapshot, isChanged } = results.versionOf(request);
    const waiter = { port, id, request, isChanged, arrivedMs };
    const wanted = { snapshot, request };
    const isVerified = verifiedShare > 0 && randomFraction() < verifiedShare;
    const kept = isVerified ? undefined : results.kept(wanted);
    if (kept) {
      respond(waiter, snapshot, kept, 0);
      return;
    }
    const { account, texts } = request;
    const field =
      texts.where !== undefined ? 'where' : texts.columns !== undefined ? 'columns' : 'sort';
    runs.start(
      {
        ...{ port, id, account },
        respond: (screened, workMs) => respond(waiter, snapshot, screened as Screened, workMs),
      },
      {
        name: runName(wanted, isVerified),
        field,
        steps: () => (isVerified ? results.verifiedSteps(wanted) : results.steps(wanted)),
      },
    );
  }

  function receiveStudy(
    port: MessagePort,
    id: number,
    { mode, account, request }: StudyMessage,
  ): void {
    const arrivedMs = monotonicMs();
    const snapshot = readers[mode].current();
    runs.start(
      {
        ...{ port, id, account },
        respond(result, workMs) {
          const totalMs = monotonicMs() - arrivedMs;
          const study = { ...(result as StudyResult), totalMs, workMs };
          reply(port, { kind: 'studied', id, study });
        },
      },
      {
        name: ['study', mode, snapshot.id, JSON.stringify(request)].join('\n'),
        field: 'where',
        steps: () => studySteps(snapshot, results.memory, request),
      },
    );
  }

  function receive(port: MessagePort, message: ScreenMessage): void {
    const { id } = message;
    switch (message.kind) {
      case 'cancel':
        runs.cancel(port, id);
        break;
      case 'page':
        receivePage(port, id, message.request);
        break;
      case 'study':
        receiveStudy(port, id, message.study);
        break;
      case 'check':
        reply(port, { kind: 'checked', id, canonical: results.canonicalOf(message.texts) });
    }
  }

  const releasing = setInterval(() => results.release(), limits.screenThread.releaseMs).unref();
  return {
    accept(port) {
      runs.open(port);
      port.on('message', (message: ScreenMessage) => {
        try {
          receive(port, message);
        } catch (error) {
          fail({ port, id: message.id }, error);
        }
      });
      port.on('close', () => runs.forget(port));
    },
    hold: (mode, version) => results.hold(mode, version),
    close() {
      clearInterval(releasing);
      runs.close();
    },
  };
}
