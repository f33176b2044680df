/** The form for a key, while the tab has none. */

import { useState } from 'preact/hooks';
import { html } from '../parts/html.ts';
import { modeOfKey, signIn } from '../state/key.ts';

export function SignIn({ notice }: { notice: string | undefined }) {
  const [text, setText] = useState('');
  const [refusal, refuse] = useState<string>();
  const submit = (event: Event) => {
    event.preventDefault();
    const key = text.trim();
    if (modeOfKey(key)) signIn(key);
    else refuse('A key starts with svc_live_ or svc_test_.');
  };
  return html`<main id="content" class="sign-in" tabIndex=${-1}>
    <h1>Sign in with an API key</h1>
    ${notice && html`<p class="notice" role="alert">${notice}</p>`}
    <form onSubmit=${submit}>
      <label for="key">API key</label>
      <div class="row">
        <input id="key" type="password" autocomplete="off" spellcheck=${false} value=${text}
          aria-invalid=${refusal !== undefined} aria-describedby=${refusal ? 'key-refusal' : undefined}
          placeholder="svc_…" onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)} />
        <button type="submit" class="main">Sign in</button>
      </div>
      ${refusal && html`<p id="key-refusal" class="refusal" role="alert">${refusal}</p>`}
    </form>
    <p class="quiet">The key stays in this tab and ends with it. It is sent to this server only.</p>
    <h2>Where keys come from</h2>
    <dl>
      <dt>Sandbox, synthetic companies</dt>
      <dd><code>npm start -- --new-key</code> prints a key and a link that signs you in.</dd>
      <dt>Live, your own data</dt>
      <dd><code>npm start -- --new-key</code> prints a link for live data, too; or make a key with
        <code>npx tapeworks keys create --mode live --label me --scopes all,ingest:write</code></dd>
    </dl>
    <p class="quiet"><a href="?view=operations">Operations</a> needs the operator's token instead of a key.</p>
  </main>`;
}
