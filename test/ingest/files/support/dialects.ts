import type { Dialect } from './dialect.ts';
import { FRAME_DIALECTS } from './frame-dialects.ts';
import { PLATFORM_DIALECTS } from './platform-dialects.ts';
import { RESPONSE_DIALECTS } from './response-dialects.ts';
import { WEBSITE_DIALECTS } from './website-dialects.ts';

/** Every dialect of docs/files.md, by the name that its row there has. */
export const DIALECTS: Readonly<Record<string, Dialect>> = {
  ...FRAME_DIALECTS,
  ...WEBSITE_DIALECTS,
  ...PLATFORM_DIALECTS,
  ...RESPONSE_DIALECTS,
};
