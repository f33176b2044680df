/** Sockets and addresses. A file apart from `network.ts`, because loading HTTP costs each start. */
export { connect, createServer as createSocketServer, isIP, type Socket } from 'node:net';
