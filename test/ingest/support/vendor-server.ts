/** A local server that stands in for vendors; every request it gets is kept. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedRequest {
  url: URL;
  headers: IncomingHttpHeaders;
}

export interface VendorServer {
  url: string;
  asked: AskedRequest[];
  close(): Promise<void>;
}

export type Answer = (request: AskedRequest, response: ServerResponse, nth: number) => void;

/**
 * @param answer Called for each request with how many came before it.
 * @param host Address to listen on.
 */
export async function startVendorServer(answer: Answer, host = '127.0.0.1'): Promise<VendorServer> {
  const asked: AskedRequest[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    const entry = { url, headers: request.headers };
    answer(entry, response, asked.push(entry) - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
