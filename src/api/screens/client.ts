/** Requests to the thread that runs screens, from a thread that responds to requests. */

import type { MessagePort } from 'node:worker_threads';
import { HttpError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { clearTimeout, setTimeout } from '../../base/world/clock.ts';
import type { ScreenTexts } from '../../screens/language/expression-error.ts';
import type {
  ScreenMessage,
  ScreenPage,
  ScreenReply,
  ScreenRequest,
  StudyBody,
  StudyMessage,
} from './messages.ts';
import { errorFromSent } from './sent-error.ts';

export interface Screens {
  /**
   * Runs a screen, or reads its kept result.
   *
   * @param signal Aborted when the client disconnects: work for it alone is given up.
   * @throws {ParameterError} An expression is wrong or takes too long.
   * @throws {HttpError} 429 or 503: too much is in progress, or the thread has ended.
   * @throws {CorruptDataError} The data is damaged.
   */
  page(request: ScreenRequest, signal?: AbortSignal): Promise<ScreenPage>;
  /** Runs a study, with the errors of `page`. */
  study(study: StudyMessage, signal?: AbortSignal): Promise<StudyBody>;
  /**
   * Checks the expressions of a screen.
   *
   * @returns The same text for every spelling of the same screen.
   */
  check(texts: ScreenTexts): Promise<string>;
}

export interface ConnectedScreens extends Screens {
  /** Uses a port to the thread; requests at the port before it fail. */
  connect(port: MessagePort): void;
  close(): void;
}

interface Waiting {
  resolve(reply: Exclude<ScreenReply, { kind: 'error' }>): void;
  reject(error: Error): void;
}

const RETRY = ['Retry-After', '1'];

/** A message to the thread, before it has its number. */
type Sent<T> = T extends ScreenMessage ? Omit<T, 'id'> : never;

export function createScreens(): ConnectedScreens {
  const waiting = new Map<number, Waiting>();
  let connected: MessagePort | undefined;
  let lastId = 0;

  function settle(reply: ScreenReply): void {
    const request = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.kind === 'error') request?.reject(errorFromSent(reply.error));
    else request?.resolve(reply);
  }

  function disconnect(port: MessagePort): void {
    if (connected !== port) return;
    connected = undefined;
    const failed = [...waiting.values()];
    waiting.clear();
    for (const { reject } of failed) reject(unavailable());
  }

  /** Gives up a request that waits. */
  function giveUp(id: number, error: Error): void {
    const request = waiting.get(id);
    if (!request) return;
    waiting.delete(id);
    connected?.postMessage({ kind: 'cancel', id } satisfies ScreenMessage);
    request.reject(error);
  }

  function send(message: Sent<ScreenMessage>, signal?: AbortSignal) {
    const port = connected;
    if (!port) return Promise.reject(unavailable());
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Parameters<Waiting['resolve']>[0]>();
    waiting.set(id, { resolve, reject });
    const timer = setTimeout(
      () => giveUp(id, late(message.kind)),
      limits.screenThread.responseMs,
    ).unref();
    const abort = () => giveUp(id, gone());
    signal?.addEventListener('abort', abort);
    port.postMessage({ ...message, id });
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
  }

  return {
    connect(port) {
      if (connected) disconnect(connected);
      connected = port;
      port.on('message', settle);
      port.on('close', () => disconnect(port));
      // The server keeps the thread alive, and a stopped one ends.
      port.unref();
    },
    async page(request, signal) {
      const reply = await send({ kind: 'page', request }, signal);
      return (reply as Extract<ScreenReply, { kind: 'page' }>).page;
    },
    async study(study, signal) {
      const reply = await send({ kind: 'study', study }, signal);
      return (reply as Extract<ScreenReply, { kind: 'studied' }>).study;
    },
    async check(texts) {
      const reply = await send({ kind: 'check', texts });
      return (reply as Extract<ScreenReply, { kind: 'checked' }>).canonical;
    },
    close() {
      connected?.close();
    },
  };
}

function unavailable(): HttpError {
  const message = 'The thread that runs screens has ended and is being restarted: try again in 1 s';
  return new HttpError(503, message, RETRY);
}

function late(kind: ScreenMessage['kind']): HttpError {
  const seconds = limits.screenThread.responseMs / 1000;
  const [what, advice] =
    kind === 'study'
      ? ['study', 'narrow from and to or its values, or try again later']
      : ['screen', 'try again later'];
  return new HttpError(503, `The ${what} took more than ${seconds} s: ${advice}`, RETRY);
}

function gone(): HttpError {
  return new HttpError(408, 'The client closed the connection before the response');
}
