/** Threads of this process. Each thread has a world of its own: it loads these files again. */
export * from 'node:worker_threads';
