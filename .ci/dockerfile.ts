/** Reads the Dockerfile as the steps and the settings of its stages. */

import { posix } from 'node:path';
import { DockerfileParser, ModifiableInstruction } from 'dockerfile-ast';

/** Settings that hold from a step on. */
interface State {
  env: Record<string, string>;
  workdir: string;
  user: string;
}

export interface Step {
  keyword: string;
  /** Arguments as written. */
  text: string;
  words: string[];
  flags: Record<string, string>;
  state: State;
}

export interface Stage extends State {
  name: string;
  base: string;
  steps: Step[];
}

/** Settings that an engine reads from the image. */
export interface ImageConfig {
  entrypoint: string[];
  command: string[];
  healthcheck: string[];
  stopSignal: string;
  volumes: string[];
  ports: string[];
}

/** Instructions that only describe the image; `imageConfig` reads them. */
const DESCRIBING = ['CMD', 'ENTRYPOINT', 'EXPOSE', 'HEALTHCHECK', 'STOPSIGNAL', 'VOLUME'];
const KNOWN = ['COPY', 'ENV', 'RUN', 'USER', 'WORKDIR', ...DESCRIBING];

/** Returns the stages. @throws {Error} an instruction is not one of those that we use. */
export function stagesOf(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword();
    const content = instruction.getArgumentsContent() ?? '';
    const all = instruction.getArguments().map((word) => word.getValue());
    if (keyword === 'FROM') {
      const [base, , name = 'image'] = all;
      stages.push({ name, base, steps: [], env: {}, workdir: '/', user: '0:0' });
      continue;
    }
    const stage = stages.at(-1);
    if (!stage || !KNOWN.includes(keyword)) throw new Error(`Dockerfile: unknown ${keyword}`);
    const words = all.filter((word) => !word.startsWith('--'));
    const flags =
      instruction instanceof ModifiableInstruction
        ? instruction.getFlags().map((flag) => [flag.getName(), flag.getValue()])
        : [];
    if (keyword === 'ENV') {
      const pairs = words.map((word) => word.split(/=(.*)/s).slice(0, 2));
      stage.env = { ...stage.env, ...Object.fromEntries(pairs) };
    } else if (keyword === 'WORKDIR') stage.workdir = posix.resolve(stage.workdir, words[0]);
    else if (keyword === 'USER') stage.user = words[0];
    const { env, workdir, user } = stage;
    const state = { env, workdir, user };
    stage.steps.push({ keyword, text: content, words, flags: Object.fromEntries(flags), state });
  }
  return stages;
}

/** Returns what an engine reads from the last stage. */
export function imageConfig({ steps }: Stage): ImageConfig {
  const last = (keyword: string) => steps.findLast((step) => step.keyword === keyword);
  const list = (keyword: string): string[] =>
    JSON.parse(/\[.*\]/s.exec(last(keyword)?.text ?? '')?.[0] ?? '[]');
  return {
    entrypoint: list('ENTRYPOINT'),
    command: list('CMD'),
    healthcheck: list('HEALTHCHECK'),
    stopSignal: last('STOPSIGNAL')?.text ?? 'SIGTERM',
    volumes: last('VOLUME')?.words ?? [],
    ports: last('EXPOSE')?.words ?? [],
  };
}
