/** Network of this machine: requests, servers, sockets and names. */
export * from 'node:dns';
export * from 'node:http';
export { default as http } from 'node:http';
export { default as https } from 'node:https';
export {
  connect,
  createServer as createSocketServer,
  isIP,
  type LookupFunction,
  type Socket,
} from 'node:net';

export function fetch(...request: Parameters<typeof globalThis.fetch>): Promise<Response> {
  return globalThis.fetch(...request);
}
