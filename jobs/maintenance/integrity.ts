/**
 * Checks all data for damage, part by part. Each run takes a bounded time and continues where the
 * last one stopped. Damaged parts are checked first, so that a repair shows at once.
 */

import type { Settings } from '../../src/base/config/config.ts';
import { StoreBusyError } from '../../src/base/errors.ts';
import {
  type IntegrityFault,
  type IntegrityRecord,
  readIntegrity,
  writeIntegrity,
} from '../../src/base/integrity-record.ts';
import { limits } from '../../src/base/limits.ts';
import { pause } from '../../src/base/time/pause.ts';
import { monotonicMs } from '../../src/base/world/clock.ts';
import { type DataPart, dataParts, faultText } from './integrity-parts.ts';

export interface IntegrityOptions {
  settings: Pick<Settings, 'dataDir' | 'segmentsDir'>;
  nowMs: number;
  /** Default `limits.integrity.runMs`. At least one part is checked. */
  runMs?: number;
  onProgress?: (step: string, done: number, total: number) => void;
  signal?: AbortSignal;
}

export async function checkIntegrity(options: IntegrityOptions) {
  const { settings, nowMs, onProgress, signal } = options;
  const round = new Round(readIntegrity(settings.dataDir), options);
  const parts = await dataParts(settings);
  round.forget(parts);
  const known = new Set(round.record.faults.map(({ part }) => part));
  for (const part of parts.filter(({ name }) => known.has(name))) await round.check(part);
  const ahead = parts.filter(({ name }) => name > round.record.position);
  if (ahead.length === parts.length) round.record.roundStartedMs = nowMs;
  let done = 0;
  for (const part of ahead) {
    if (done > 0 && round.isOver()) break;
    signal?.throwIfAborted();
    onProgress?.('check', done, ahead.length);
    if (!known.has(part.name) && !(await round.check(part))) break;
    round.pass(part);
    done++;
    await round.rest();
  }
  const left = ahead.length - done;
  if (left === 0) round.end(nowMs);
  round.note(nowMs);
  const { parts: count, bytes, faults } = round.record;
  return { parts: count, bytes, left, faults };
}

class Round {
  readonly record: IntegrityRecord;
  readonly #options: IntegrityOptions;
  readonly #startedMs = monotonicMs();
  #notedMs = monotonicMs();
  #workedMs = 0;

  constructor(record: IntegrityRecord, options: IntegrityOptions) {
    this.record = { ...record, parts: 0, bytes: 0 };
    this.#options = options;
  }

  isOver(): boolean {
    const { runMs = limits.integrity.runMs } = this.#options;
    return monotonicMs() - this.#startedMs >= runMs;
  }

  /** Drops faults of parts that no longer exist. */
  forget(parts: readonly DataPart[]): void {
    const names = new Set(parts.map(({ name }) => name));
    this.record.faults = this.record.faults.filter(({ part }) => names.has(part));
  }

  /** Checks a part. @returns false if the part is in use. */
  async check(part: DataPart): Promise<boolean> {
    const startedMs = monotonicMs();
    const fault = await this.#faultOf(part);
    this.#workedMs = monotonicMs() - startedMs;
    if (fault === 'busy') return false;
    this.record.parts++;
    this.record.bytes += part.bytes;
    this.#remember(part, fault);
    return true;
  }

  async #faultOf(part: DataPart): Promise<string | undefined> {
    try {
      await part.check(this.#options.signal);
      return undefined;
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      return error instanceof StoreBusyError ? 'busy' : faultText(error);
    }
  }

  #remember({ name, remedy }: DataPart, fault: string | undefined): void {
    const { faults } = this.record;
    const known = faults.find(({ part }) => part === name);
    const others = faults.filter((one) => one !== known);
    if (fault === undefined) this.record.faults = others;
    else if (others.length < limits.integrity.faultsKept) {
      const foundMs = known?.foundMs ?? this.#options.nowMs;
      this.record.faults = [...others, { part: name, fault, remedy, foundMs }];
    }
  }

  /** Marks a part as checked: the next run continues after it. */
  pass({ name }: DataPart): void {
    this.record.position = name;
    if (monotonicMs() - this.#notedMs < limits.integrity.noteMs) return;
    this.#notedMs = monotonicMs();
    writeIntegrity(this.#options.settings.dataDir, this.record);
  }

  /** Pauses for as long as it worked: requests come first. */
  async rest(): Promise<void> {
    await pause(this.#workedMs, this.#options.signal);
  }

  end(nowMs: number): void {
    this.record.position = '';
    this.record.roundEndedMs = nowMs;
  }

  note(nowMs: number): void {
    this.record.ranMs = nowMs;
    writeIntegrity(this.#options.settings.dataDir, this.record);
  }
}

/** Formats faults for users: the part, the damage, the remedy. */
export function faultLines(faults: readonly IntegrityFault[]): string[] {
  const { faultsShown } = limits.integrity;
  const lines = faults
    .slice(0, faultsShown)
    .map(({ part, fault, remedy }) => `${part}: ${fault}: ${remedy}`);
  const more = faults.length - faultsShown;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}
