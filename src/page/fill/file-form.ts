/** The form for a file of the person's own, chosen or dropped. */

import { useState } from 'preact/hooks';
import { DATASET_TITLES } from '../parts/datasets.ts';
import { html } from '../parts/html.ts';

/** Parameters of `POST /svc/backfills/files`, and its body. */
export interface FileOrder {
  file: File;
  dataset: string;
  symbol?: string;
  /** Values by name of a field of `READING_FIELDS`. */
  readings: Readonly<Record<string, string>>;
}

const BYTES_MAX = 64 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
const ACCEPTED = '.csv,.txt,.tsv,.json,.jsonl,.ndjson,.parquet,.gz,.zip';

function bytesText(bytes: number): string {
  if (bytes < MEGABYTE) return `${Math.max(1, Math.round(bytes / 1024))} kB`;
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

interface FormProps {
  symbol: string;
  /** The request that is changed. */
  given: FileOrder | undefined;
  isBusy: boolean;
  onSubmit: (order: FileOrder) => void;
}

export function FileForm({ symbol, given, isBusy, onSubmit }: FormProps) {
  const [file, setFile] = useState(given?.file);
  const [dataset, setDataset] = useState(given?.dataset ?? 'candles');
  const [text, setText] = useState(given?.symbol ?? symbol);
  const [readings, setReadings] = useState(given?.readings ?? {});
  const [isOver, setOver] = useState(false);
  const isTooLong = file !== undefined && file.size > BYTES_MAX;
  const submit = (event: Event) => {
    event.preventDefault();
    if (!file || isTooLong) return;
    onSubmit({ file, dataset, readings, ...(text.trim() && { symbol: text.trim() }) });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    setFile(event.dataTransfer?.files[0]);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const titles = { candles: 'Bars: daily, 1 or 5 minutes', ...DATASET_TITLES };
  const options = Object.entries(titles).map(
    ([name, title]) => html`<option key=${name} value=${name}>${title}</option>`,
  );
  const fields = Object.entries(READING_FIELDS).map(
    ([name, { title, choices }]) => html`<label key=${name}><span>${title}</span>
      <select value=${readings[name] ?? ''}
        onChange=${(event: Event) => {
          const { [name]: _, ...others } = readings;
          const { value } = event.target as HTMLSelectElement;
          setReadings(value === '' ? others : { ...others, [name]: value });
        }}><option value="">As the file shows</option>${Object.entries(choices).map(
          ([value, one]) => html`<option key=${value} value=${value}>${one}</option>`,
        )}</select></label>`,
  );
  return html`<form class="fill-form" onSubmit=${submit}>
    <label class=${`drop ${isOver ? 'over' : ''}`} onDragOver=${over} onDragLeave=${() => setOver(false)}
      onDrop=${drop}>
      <input type="file" accept=${ACCEPTED} class="unseen" aria-label="File"
        onChange=${(event: Event) => setFile((event.target as HTMLInputElement).files?.[0])} />
      ${
        file
          ? html`<b>${file.name}</b><span class="quiet">${bytesText(file.size)}</span>`
          : html`<b>Choose a file, or drop it here</b>
            <span class="quiet">CSV, JSON, Parquet, gzip or zip; at most 64 MB</span>`
      }
    </label>
    ${isTooLong && html`<p class="refusal" role="alert">The file is larger than 64 MB. Load it with <code>npx tapeworks backfill files ${dataset} ${file.name}</code></p>`}
    <label><span>Dataset</span>
      <select value=${dataset} onChange=${(event: Event) => setDataset((event.target as HTMLSelectElement).value)}>${options}</select></label>
    <label><span>Symbol</span>
      <input type="text" autocomplete="off" autocapitalize="characters" spellcheck=${false}
        placeholder="if the file has no column of symbols" value=${text}
        onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)} /></label>
    <details open=${Object.keys(readings).length > 0}>
      <summary>How to read it</summary>
      <div class="days">${fields}</div>
    </details>
    <p class="quiet">Rows that break a rule go to the quarantine; the others are loaded.</p>
    <button type="submit" class="main" disabled=${isBusy || !file || isTooLong}>${isBusy ? 'Uploading…' : 'Upload and load'}</button>
  </form>`;
}

interface ReadingField {
  title: string;
  /** Titles by value. */
  choices: Readonly<Record<string, string>>;
}

export const READING_FIELDS: Readonly<Record<string, ReadingField>> = {
  basis: {
    title: 'Basis of the prices',
    choices: { raw: 'As traded', split: 'Split-adjusted', all: 'Splits and dividends' },
  },
  interval: {
    title: 'Interval of the bars',
    choices: { '1d': 'Days', '5m': '5 minutes', '1m': '1 minute' },
  },
  dates: {
    title: 'Dates of days',
    choices: { written: 'As written', next: 'The next day', previous: 'The day before' },
  },
  date_format: {
    title: 'Order of a date',
    choices: { ymd: 'Year, month, day', mdy: 'Month, day, year', dmy: 'Day, month, year' },
  },
  stamps: {
    title: 'Times stand at',
    choices: { start: 'The start of a bar', end: 'The end of a bar' },
  },
  zone: {
    title: 'Zone of times',
    choices: {
      'America/New_York': 'New York',
      UTC: 'UTC',
      'America/Chicago': 'Chicago',
      'Europe/London': 'London',
      'Europe/Berlin': 'Berlin',
      'Asia/Tokyo': 'Tokyo',
    },
  },
  decimal: {
    title: 'Decimal mark',
    choices: { point: 'Point: 1.5', comma: 'Comma: 1,5' },
  },
};
