/** Copies into `dist` what the package needs and the compiler leaves out. */

import { cpSync } from 'node:fs';
import { KEPT_FILES, keptPath } from '../dist/src/api/page/kept-files.js';

const swagger = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE'];

for (const name of swagger) {
  cpSync(`node_modules/swagger-ui-dist/${name}`, `dist/src/api/docs/swagger-ui/${name}`);
}

const sample = 'src/ingest/vendors/sec/sample';
cpSync(sample, `dist/${sample}`, { recursive: true });
const kept = 'dist/src/api/page/kept';
for (const name of Object.keys(KEPT_FILES)) cpSync(keptPath(name), `${kept}/${name}`);
for (const name of ['lightweight-charts', 'uplot', 'preact', 'htm']) {
  cpSync(`node_modules/${name}/LICENSE`, `${kept}/${name}-LICENSE`);
}
cpSync('src/page/style', 'dist/src/page/style', { recursive: true });

const engine = 'src/compute/columns/wasm/engine.wasm';
cpSync(engine, `dist/${engine}`);

const parser = 'src/compute/screens/grammar/parser.js';
cpSync(parser, `dist/${parser}`);
for (const file of ['src/compute/columns/wasm/engine.wasm', 'src/bench/peers/python-driver.py']) {
  cpSync(file, `dist/${file}`);
}
