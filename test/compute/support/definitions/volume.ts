import type { Definition } from './definition.ts';

export const volume: Readonly<Record<string, Definition>> = {};
