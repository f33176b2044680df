/** Shows the lines of a filing that a figure follows from. */

import { useEffect, useRef } from 'preact/hooks';
import type {
  Filing,
  FilingsPage,
  IncomeStatements,
  StatementEvidence,
} from '../../../clients/typescript/operations.js';
import { html } from '../parts/html.ts';
import { FailureBox, Skeleton } from '../parts/states.ts';
import { dayText } from '../parts/times.ts';
import { getJson } from '../state/request.ts';
import { useRequest } from '../state/use-request.ts';

interface FigureProps {
  symbol: string;
  noun: string;
  field: string;
  title: string;
  date: string;
  query: Readonly<Record<string, string | number | undefined>>;
  onClose: () => void;
}

export function FigureDialog(props: FigureProps) {
  const { symbol, noun, field, title, date, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const path = `v1/svc/fundamentals/${encodeURIComponent(symbol)}/${noun}`;
  const query = { ...props.query, explain: 'true' };
  const { value, failure, retry } = useRequest(
    `${symbol} ${noun} ${date}`,
    JSON.stringify([path, query]),
    (signal) => getJson<IncomeStatements>(path, query, signal),
  );
  const explained = value?.data.find((row) => row.date === date)?.explained;
  const body = () => {
    if (failure)
      return html`<${FailureBox} failure=${failure} retry=${retry} subject="the lines" />`;
    if (!explained) return html`<${Skeleton} label="the lines" lines=${3} />`;
    return html`<${Evidence} symbol=${symbol} explained=${explained} field=${field} />`;
  };
  return html`<dialog ref=${dialog} class="dialog" aria-labelledby="figure-title" onClose=${onClose}
      onClick=${(event: MouseEvent) => event.target === dialog.current && onClose()}>
    <header class="dialog-head"><h2 id="figure-title">${title}, ${dayText(date)}</h2>
      <button type="button" class="plain" aria-label="Close" onClick=${onClose}>×</button></header>
    ${body()}
  </dialog>`;
}

interface EvidenceProps {
  symbol: string;
  explained: StatementEvidence;
  field: string;
}

function Evidence({ symbol, explained, field }: EvidenceProps) {
  const { verdict, reason, accession, lines } = explained.figures[field];
  const { form, filedAt, currency } = explained;
  const number = accession ?? explained.accession;
  const path = `v1/svc/filings/${encodeURIComponent(symbol)}`;
  const { value: filings } = useRequest(symbol, path, (signal) =>
    getJson<FilingsPage>(path, { limit: 100 }, signal),
  );
  const filing = filings?.data.find((one: Filing) => one.accession === number);
  const name = `${filing?.form ?? form ?? 'Filing'} ${number ?? ''}`;
  const rows = lines.map(
    ({ concept, label, value }) => html`<tr key=${concept}>
      <th scope="row" title=${concept}>${label ?? concept}</th>
      <td>${value?.toLocaleString('en-US') ?? '–'}</td></tr>`,
  );
  return html`<p>${verdict ?? reason}</p>
    ${
      lines.length > 0 &&
      html`<table class="data"><thead><tr><th scope="col" class="text">Line</th>
      <th scope="col">${currency}</th></tr></thead><tbody>${rows}</tbody></table>`
    }
    <p class="quiet">${filing ? html`<a href=${filing.link}>${name}</a>` : name}${
      filedAt && `, filed ${dayText(filedAt.slice(0, 10))}`
    }</p>`;
}
