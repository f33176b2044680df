/** Examples of what needs no key. */

import type { RouteExample } from '../openapi/contract.ts';

export const healthExample: RouteExample = { title: 'It answers', answer: { status: 'ok' } };

export const readinessExample: RouteExample = {
  title: 'Live data is old, the sandbox is not',
  answer: { status: 'ready', modes: { live: 'stale', sandbox: 'ready' }, diskFull: false },
};

/** What the error says beside the envelope. */
export const UNREADY = {
  status: 'empty',
  modes: { live: 'empty', sandbox: 'empty' },
  diskFull: false,
};

export const descriptionExample: RouteExample = {
  title: 'This document',
  answer: {
    openapi: '3.1.0',
    info: { title: 'Tapeworks', version: '1.0.0' },
    paths: {},
    components: {},
  },
};
