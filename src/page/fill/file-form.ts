/** The form for a file of the person's own, chosen or dropped. */

import { useState } from 'preact/hooks';
import { html } from '../parts/html.ts';
import { FILE_DATASETS } from './file-datasets.ts';

/** Parameters of `POST /svc/backfills/files`, and its body. */
export interface FileOrder {
  file: File;
  dataset: string;
  symbol?: string;
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
  isBusy: boolean;
  onSubmit: (order: FileOrder) => void;
}

export function FileForm({ symbol, isBusy, onSubmit }: FormProps) {
  const [file, setFile] = useState<File>();
  const [dataset, setDataset] = useState('candles');
  const [text, setText] = useState(symbol);
  const [isOver, setOver] = useState(false);
  const isTooLong = file !== undefined && file.size > BYTES_MAX;
  const submit = (event: Event) => {
    event.preventDefault();
    if (!file || isTooLong) return;
    onSubmit({ file, dataset, ...(text.trim() && { symbol: text.trim() }) });
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
  const options = Object.entries(FILE_DATASETS).map(
    ([name, title]) => html`<option key=${name} value=${name}>${title}</option>`,
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
    <p class="quiet">Rows that break a rule go to the quarantine; the others are loaded.</p>
    <button type="submit" class="main" disabled=${isBusy || !file || isTooLong}>${isBusy ? 'Uploading…' : 'Upload and load'}</button>
  </form>`;
}
