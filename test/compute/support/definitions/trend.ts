import type { Definition } from './definition.ts';

export const trend: Readonly<Record<string, Definition>> = {};
