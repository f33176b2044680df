/** A table of texts, which scrolls sideways where it is narrow, and its panel. */

import { type Children, html } from '../parts/html.ts';

export interface Column {
  title: string;
  kind?: 'number' | 'long';
}

export interface Row {
  key: string;
  /** The first one names the row. */
  cells: readonly Children[];
}

interface TableProps {
  label: string;
  columns: readonly Column[];
  rows: readonly Row[];
}

const CLASSES = { number: 'figure', long: 'text long' } as const;

export function Table({ label, columns, rows }: TableProps) {
  const classOf = (place: number) => {
    const { kind } = columns[place];
    return kind === undefined ? 'text' : CLASSES[kind];
  };
  const heads = columns.map(
    ({ title }, place) => html`<th key=${title} scope="col" class=${classOf(place)}>${title}</th>`,
  );
  const body = rows.map(
    ({ key, cells: [name, ...cells] }) => html`<tr key=${key}>
      <th scope="row" class=${classOf(0)}>${name}</th>
      ${cells.map((cell, i) => html`<td key=${i} class=${classOf(i + 1)}>${cell}</td>`)}
    </tr>`,
  );
  return html`<div class="table-box plain-box" tabIndex=${0} role="region" aria-label=${label}>
    <table class="data"><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table>
  </div>`;
}

interface PanelProps {
  id: string;
  title: string;
  /** The part in a few words, beside the title. */
  summary?: Children;
  actions?: Children;
  children?: Children;
}

export function Panel({ id, title, summary, actions, children }: PanelProps) {
  return html`<section class="panel" aria-labelledby=${id}>
    <div class="panel-head"><h2 id=${id}>${title}</h2>
      ${summary && html`<p class="quiet">${summary}</p>`}${actions}</div>
    ${children}
  </section>`;
}

/** The rest of a list that was cut. */
export function More({ count, of }: { count: number; of: string }) {
  if (count <= 0) return null;
  return html`<p class="quiet">${count.toLocaleString('en-US')} more ${of}</p>`;
}
