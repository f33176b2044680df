/** The catalogue of table shapes, in the order in which they are tried. */

import { blankColumns } from './blank-columns.ts';
import { barchart, closingLines, robinhood } from './closing-lines.ts';
import { databento } from './databento.ts';
import { dateWords, guarded } from './date-words.ts';
import { dukascopy } from './dukascopy.ts';
import { finam } from './finam.ts';
import { investing } from './investing.ts';
import { lean } from './lean.ts';
import { misnamedJson } from './misnamed-json.ts';
import { noHeader } from './no-header.ts';
import { dateParts, partedTickers, thetaData, thetaDays } from './parted-columns.ts';
import type { TableShape } from './shape.ts';
import { tallHeader } from './tall-header.ts';
import { titled } from './titled.ts';
import { tradingview } from './tradingview.ts';
import { wideNames } from './wide-names.ts';

export const TABLE_SHAPES: readonly TableShape[] = [
  misnamedJson,
  tallHeader,
  titled,
  blankColumns,
  wideNames,
  barchart,
  closingLines,
  investing,
  tradingview,
  dukascopy,
  databento,
  robinhood,
  partedTickers,
  thetaData,
  thetaDays,
  dateParts,
  lean,
  noHeader,
  finam,
  guarded,
  dateWords,
];
