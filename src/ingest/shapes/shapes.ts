/** The catalogue of table shapes, in the order in which they are tried. */

import type { TableShape } from './shape.ts';
import { tallHeader } from './tall-header.ts';
import { wideNames } from './wide-names.ts';

export const TABLE_SHAPES: readonly TableShape[] = [tallHeader, wideNames];
