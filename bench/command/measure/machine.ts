/** The machine and the versions that a result was measured with. */

import packageJson from '../../../package.json' with { type: 'json' };
import { cpus, loadavg, release, totalmem } from '../../../src/base/world/machine.ts';
import { process } from '../../../src/base/world/process.ts';

export interface Machine {
  processor: string;
  cores: number;
  memoryGiB: number;
  platform: string;
  node: string;
  tapeworks: string;
  /** Load average of the last minute at the start; another load makes other times. */
  load: number;
}

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() || 'unknown processor',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform}-${process.arch} ${release()}`,
    node: process.version,
    tapeworks: packageJson.version,
    load: Number(loadavg()[0].toFixed(2)),
  };
}

/** Describes the machine in one line. */
export function machineLine(machine: Machine = describeMachine()): string {
  const { processor, cores, memoryGiB, platform, node, load } = machine;
  return `${processor}, ${cores} cores, ${memoryGiB} GiB, ${platform}, Node ${node}, load ${load}`;
}
