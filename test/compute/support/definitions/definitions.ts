import { averages } from './averages.ts';
import type { Definition } from './definition.ts';
import { momentum } from './momentum.ts';
import { trend } from './trend.ts';
import { volatility } from './volatility.ts';
import { volume } from './volume.ts';

/** By indicator; a row of the catalogue that is missing here fails a test. */
export const definitions: Readonly<Record<string, Definition>> = {
  ...averages,
  ...momentum,
  ...trend,
  ...volatility,
  ...volume,
};
