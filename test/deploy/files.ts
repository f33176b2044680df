/** Files of `deploy` as data. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export interface Service {
  image: string;
  command: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  tmpfs?: string[];
  read_only?: boolean;
  init?: boolean;
  stop_grace_period?: string;
  healthcheck?: { disable?: boolean };
  depends_on?: unknown;
}

/** Services of a compose file, with what they inherit. */
export function servicesOf(path: string): Record<string, Service> {
  return parse(read(path), { merge: true }).services;
}

export const COMPOSE_FILES = ['compose.yaml', 'deploy/compose.fleet.yaml'];
