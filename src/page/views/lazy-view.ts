/** Views whose modules load when they are first shown, so that the first visit does not wait. */

import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../parts/html.ts';
import { FailureBox, Skeleton } from '../parts/states.ts';
import { RequestFailure } from '../state/request.ts';

/** @param load Imports the module; `name` is shown while that takes time, and if it fails. */
export function lazyView(name: string, load: () => Promise<FunctionComponent>): FunctionComponent {
  let loaded: FunctionComponent | undefined;
  return function LazyView() {
    const [, render] = useState<object>();
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded || hasFailed) return;
      load().then(
        (component) => {
          loaded = component;
          render({});
        },
        () => setFailed(true),
      );
    }, [hasFailed]);
    if (loaded) return html`<${loaded} />`;
    if (!hasFailed) return html`<div class="view"><${Skeleton} label=${name} lines=${12} /></div>`;
    // A newer server has other files: the document names them.
    const failure = new RequestFailure('failed', 'Its files could not be read from the server.');
    return html`<div class="view"><${FailureBox} failure=${failure} subject=${name}
      retry=${() => location.reload()} /></div>`;
  };
}
