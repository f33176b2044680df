/** Chooses the columns: fields of the company, and expressions of one's own. */

import { useState } from 'preact/hooks';
import { SCREEN_FIELD_NAMES } from '../../base/fields.ts';
import { trimmedList } from '../../base/split-list.ts';
import { html } from '../parts/html.ts';
import { Menu } from '../parts/menu.ts';
import { go } from '../state/address.ts';
import { asFailure, getJson } from '../state/request.ts';
import { columnOf } from './columns.ts';
import { DEFAULT_COLUMNS, ROW_COLUMNS, type Screen } from './screen-address.ts';

const CHOICES: readonly string[] = [...new Set([...ROW_COLUMNS, ...SCREEN_FIELD_NAMES])].filter(
  (name) => name !== 'symbol',
);

function show(columns: readonly string[]): void {
  const isUsual = columns.join() === DEFAULT_COLUMNS.join();
  go({ columns: isUsual || columns.length === 0 ? undefined : columns.join(',') });
}

export function ColumnsMenu({ screen }: { screen: Screen }) {
  const { columns } = screen;
  const [text, setText] = useState('');
  const [refusal, refuse] = useState<string>();
  const search = text.trim().toLowerCase();
  const toggle = (name: string) =>
    show(columns.includes(name) ? columns.filter((one) => one !== name) : [...columns, name]);
  const add = async (event: Event) => {
    event.preventDefault();
    const added = trimmedList(text).filter((one) => !columns.includes(one));
    if (added.length === 0) return;
    const expressions = added.filter((one) => !ROW_COLUMNS.has(one));
    try {
      // The server knows the language; the table stays until it agrees.
      if (expressions.length > 0)
        await getJson('v1/svc/screener', { columns: expressions.join(', '), limit: 1 });
    } catch (error) {
      return refuse(asFailure(error).message);
    }
    setText('');
    refuse(undefined);
    show([...columns, ...added]);
  };
  const move = (index: number) =>
    show(columns.with(index, columns[index - 1]).with(index - 1, columns[index]));
  const shown = columns.map(
    (name, i) => html`<li key=${name}><span class="column-name">${columnOf(name).title}</span>
      <button type="button" class="plain" disabled=${i === 0} aria-label=${`Move ${name} to the left`} onClick=${() => move(i)}>←</button>
      <button type="button" class="plain" aria-label=${`Remove ${name}`} onClick=${() => toggle(name)}>×</button></li>`,
  );
  const found = CHOICES.filter(
    (name) => !columns.includes(name) && `${name} ${name.replaceAll('_', ' ')}`.includes(search),
  ).map(
    (
      name,
    ) => html`<li key=${name}><button type="button" class="plain choice" onClick=${() => toggle(name)}>
      + ${columnOf(name).title}</button></li>`,
  );
  return html`<${Menu} label="Columns"><div class="columns-menu">
    <form onSubmit=${add}>
      <label for="column-text">Field or expression</label>
      <div class="row"><input id="column-text" value=${text} placeholder="sma(50) / close" spellcheck=${false}
        autocomplete="off" aria-invalid=${refusal !== undefined} aria-describedby=${refusal ? 'column-refusal' : undefined}
        onInput=${(event: Event) => {
          setText((event.target as HTMLInputElement).value);
          refuse(undefined);
        }} /><button type="submit">Add</button></div>
      ${refusal && html`<p id="column-refusal" class="refusal" role="alert">${refusal}</p>`}
    </form>
    <ul class="choices" aria-label="Further fields" tabIndex=${0}>${found}</ul>
    <h2>Shown</h2>
    <ul class="shown" aria-label="Shown columns" tabIndex=${0}>${shown}</ul>
    <button type="button" onClick=${() => show(DEFAULT_COLUMNS)}>The usual columns</button>
  </div><//>`;
}
