/** The form for the operator's token, while the tab has none. */

import { useState } from 'preact/hooks';
import { html } from '../parts/html.ts';
import { keepToken } from '../state/operator.ts';

export function TokenForm({ notice }: { notice: string | undefined }) {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== '') keepToken(text.trim());
  };
  return html`<div class="sign-in">
    <h1>Operations</h1>
    <p>Freshness of the data, failed jobs, held loads, refused rows, disk, keys and webhooks. Only
      the operator of this server may see them.</p>
    ${notice && html`<p class="notice" role="alert">${notice}</p>`}
    <form onSubmit=${submit}>
      <label for="token">Operator's token</label>
      <div class="row">
        <input id="token" type="password" autocomplete="off" spellcheck=${false} value=${text}
          onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)} />
        <button type="submit" class="main">Show operations</button>
      </div>
    </form>
    <p class="quiet">The token stays in this tab and ends with it. It is sent to this server only.</p>
    <h2>Where the token comes from</h2>
    <p>It is the setting <code>TAPEWORKS_ADMIN_TOKEN</code> of the server:</p>
    <p><code>TAPEWORKS_ADMIN_TOKEN=$(openssl rand -hex 24 | tee token.txt) npm start</code></p>
  </div>`;
}
