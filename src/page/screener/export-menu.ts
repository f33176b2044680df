/** Takes a screen out of the page: as a file, as a command, as a program. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../parts/html.ts';
import { Menu } from '../parts/menu.ts';
import { countText } from '../parts/numbers.ts';
import { asFailure, type Query, requestPath } from '../state/request.ts';
import { wholeScreen } from './download.ts';
import { type Screen, screenQuery } from './screen-address.ts';

export function ExportMenu({ screen, total }: { screen: Screen; total: number | undefined }) {
  return html`<${Menu} label="Export"><${Panel} screen=${screen} total=${total} /><//>`;
}

/** Offers a file as the browser does a download. */
function offer(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function Panel({ screen, total }: { screen: Screen; total: number | undefined }) {
  const [note, say] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [shown, show] = useState<string>();
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const query = screenQuery(screen);
  const download = async (format: 'csv' | 'arrow') => {
    setBusy(true);
    const progress = (loaded: number, all: number) =>
      say(`${countText(loaded)} of ${countText(all)} rows`);
    try {
      const file = await wholeScreen(query, format, progress, abort.current.signal);
      offer(
        file,
        `screen${screen.asOf ? `-${screen.asOf}` : ''}.${format === 'csv' ? 'csv' : 'arrows'}`,
      );
    } catch (error) {
      if (abort.current.signal.aborted) return;
      say(asFailure(error).message);
    }
    setBusy(false);
  };
  const copy = async (text: string) => {
    show(text);
    try {
      await navigator.clipboard.writeText(text);
      say('Copied.');
    } catch {
      // Browsers have no clipboard for pages without TLS, other than on the same machine.
      say('Copy the text below.');
    }
  };
  const base = new URL('./', location.href).href;
  const rows = total === undefined ? '' : `, ${countText(total)} rows`;
  return html`<div class="export-menu">
    <button type="button" class="export" disabled=${isBusy || total === undefined} onClick=${() => download('csv')}>CSV${rows}</button>
    <button type="button" class="export" disabled=${isBusy || total === undefined} onClick=${() => download('arrow')}>Arrow${rows}</button>
    <button type="button" class="export" onClick=${() => copy(curlText(base, query))}>Copy as curl</button>
    <button type="button" class="export" onClick=${() => copy(pythonText(base, query))}>Copy as Python</button>
    <p class="quiet" role="status">${note}</p>
    ${shown && html`<pre tabIndex=${0} aria-label="Copied text">${shown}</pre>`}
  </div>`;
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function given(query: Query): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
}

/** @param base Address of the server, with its path: `https://host/`. */
function curlText(base: string, query: Query): string {
  const url = new URL(requestPath('v1/svc/screener'), base).href;
  const lines = [
    `curl -G ${inShell(url)}`,
    '-H "X-API-Key: $TAPEWORKS_API_KEY"',
    ...given(query).map(([name, value]) => `--data-urlencode ${inShell(`${name}=${value}`)}`),
    "-d 'limit=200'",
  ];
  return lines.join(' \\\n  ');
}

/** Uses the Python package, which reads the key from `TAPEWORKS_API_KEY`. */
function pythonText(base: string, query: Query): string {
  const { where, ...others } = query;
  const values = [
    where === undefined ? 'None' : JSON.stringify(where),
    ...given(others).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
  ];
  return [
    'import tapeworks',
    '',
    `tw = tapeworks.connect(${JSON.stringify(base.replace(/\/$/, ''))})`,
    `print(tw.screen(${values.join(', ')}).pd())`,
  ].join('\n');
}
