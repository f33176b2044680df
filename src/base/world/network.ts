/** Requests, servers and names. */
export * from 'node:dns';
export * from 'node:http';
export { default as http } from 'node:http';
export { default as https } from 'node:https';

export function fetch(...request: Parameters<typeof globalThis.fetch>): Promise<Response> {
  return globalThis.fetch(...request);
}
