/** Requests that each have a connection of their own, so that the system shares them out. */

import { type IncomingMessage, request } from 'node:http';

export interface Asked {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  /** Thread that responded: the part of the request id that its responses share. */
  thread: string;
}

const THREAD_CHARS = 'req_'.length + 12;

export interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** The head of an answer, whose body is left to the caller. */
export function open(url: string, options: AskOptions = {}): Promise<IncomingMessage> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent: false, method, headers }, resolve);
    asked.on('error', reject);
    asked.end(body);
  });
}

export async function ask(url: string, options: AskOptions = {}): Promise<Asked> {
  const answer = await open(url, options);
  let text = '';
  for await (const chunk of answer) text += chunk;
  const thread = String(answer.headers['x-request-id']).slice(0, THREAD_CHARS);
  return { status: answer.statusCode ?? 0, headers: answer.headers, text, thread };
}

export function askMany(count: number, url: string, options: AskOptions = {}): Promise<Asked[]> {
  return Promise.all(Array.from({ length: count }, () => ask(url, options)));
}
