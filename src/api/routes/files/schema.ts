import { z } from 'zod';
import { FILE_DATASETS } from '../../../store/parquet/file-sets.ts';
import type { RouteExample } from '../../contract/route.ts';

export const fileSchema = z
  .strictObject({
    dataset: z.enum(FILE_DATASETS).describe('Only datasets that the scopes of the key allow.'),
    interval: z.enum(['1d', '5m', '1m']).nullable().describe('For candles; else null.'),
    year: z.int().nullable().describe('Year of all rows, in UTC; null: the whole dataset.'),
    month: z.int().nullable().describe('1 to 12, for candles below a day; else null.'),
    url: z
      .string()
      .describe('Signed: it needs no header. Readable for at least an hour, at most two days.'),
    bytes: z.int(),
    version: z.string().describe('Version of the data; all files of a response have the same one.'),
  })
  .meta({ id: 'File' });

export const filesSchema = z
  .strictObject({ data: z.array(fileSchema).describe('Empty until the first files are made.') })
  .meta({ id: 'Files' });

const URL =
  'http://127.0.0.1:8787/v1/svc/files/' +
  '2f-mfz4k1c0.key_8sJ2kQ0bXvT5mR7yWc3d.g3x.1f8b0c2d4e6a7f9081b3c5d7e9fa0b1c2d3e4f50';

export const filesExample: RouteExample = {
  title: 'Files of the newest version',
  response: {
    data: [
      {
        dataset: 'candles',
        interval: '1d',
        year: 2025,
        month: null,
        url: `${URL}/candles-1d-2025.parquet`,
        bytes: 37_525_826,
        version: '2f-mfz4k1c0',
      },
      {
        dataset: 'adjustments',
        interval: null,
        year: null,
        month: null,
        url: `${URL}/adjustments.parquet`,
        bytes: 210_442,
        version: '2f-mfz4k1c0',
      },
    ],
  },
};

export const filePath = z.strictObject({
  version: z
    .string()
    .regex(/^[\w.-]+$/)
    .describe('A version that the list of files names, or its signed form in a `url`.'),
  name: z
    .string()
    .regex(/^[0-9a-z-]+\.parquet$/)
    .describe('As in the `url` of the list.'),
});
