/** Copies into `dist` what the package needs and the compiler leaves out. */

import { cpSync } from 'node:fs';
import { KEPT_FILES, keptPath } from '../dist/src/api/page/kept-files.js';

const swagger = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE'];

for (const name of swagger) {
  cpSync(`node_modules/swagger-ui-dist/${name}`, `dist/src/api/docs/swagger-ui/${name}`);
}

const kept = 'dist/src/api/page/kept';
for (const name of Object.keys(KEPT_FILES)) cpSync(keptPath(name), `${kept}/${name}`);
for (const name of ['lightweight-charts', 'preact', 'htm']) {
  cpSync(`node_modules/${name}/LICENSE`, `${kept}/${name}-LICENSE`);
}

const own = [
  'src/bench/peers/python-driver.py',
  'src/bench/screens/polars-screens.py',
  'src/compute/columns/wasm/engine.wasm',
  'src/ingest/vendors/sec/sample',
  'src/page/style',
];

for (const path of own) cpSync(path, `dist/${path}`, { recursive: true });
