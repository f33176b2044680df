/** Exits with 0 if the server of this container responds on `/healthz`: the image has no curl. */

import { get } from 'node:http';

const port = process.env.TAPEWORKS_PORT || '8787';
const request = get({ host: '127.0.0.1', port, path: '/healthz', timeout: 4000 }, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1);
});
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
