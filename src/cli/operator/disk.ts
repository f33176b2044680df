/** Space on disk by part of the data, for the operator's report. */

import { basename, dirname, join } from 'node:path';
import type { Settings } from '../../base/config/config.ts';
import {
  accountsPath,
  jobsPaths,
  MODES,
  uploadsPath,
  workPaths,
} from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import type { DiskReport } from '../../base/operator/report.ts';
import { readdirSync, statfsSync, statSync } from '../../base/world/files.ts';
import { diskStatus } from '../inspect/status.ts';

type Part = DiskReport['parts'][number];

/** Measures up to `limits.operatorReport.filesMax` files; the rest counts as empty. */
export function diskReport(settings: Settings): DiskReport {
  const { dataDir } = settings;
  const room = { files: limits.operatorReport.filesMax };
  const parts = MODES.flatMap((mode) => {
    const { market, serving, files, segments, quarantine, scratch } = workPaths(settings, mode);
    return [
      // The log, and stores that a rebuild replaced, have the name of the store at their start.
      filesOf(`${mode} store`, dirname(market), basename(market), room),
      filesOf(`${mode} published files`, serving, '', room),
      filesOf(`${mode} Parquet files`, files, '', room),
      filesOf(`${mode} segments`, segments, '', room),
      filesOf(`${mode} quarantine`, quarantine, '', room),
      filesOf(`${mode} scratch`, scratch, '', room),
    ];
  });
  parts.push(filesOf('uploads', uploadsPath(dataDir), '', room));
  for (const [part, path] of [
    ['accounts', accountsPath(dataDir)],
    ['jobs', jobsPaths(dataDir).ledger],
  ]) {
    parts.push(filesOf(part, dirname(path), basename(path), room));
  }
  const { blocks, bsize } = statfsSync(dataDir);
  return {
    ...diskStatus(dataDir),
    totalBytes: blocks * bsize,
    parts: parts.filter(({ files }) => files > 0).sort((a, b) => b.bytes - a.bytes),
  };
}

/** Sums the files of a folder, with its folders, whose names start with a text. */
function filesOf(part: string, folder: string, start: string, room: { files: number }): Part {
  const sum: Part = { part, bytes: 0, files: 0 };
  const add = (path: string, isMeant: (name: string) => boolean) => {
    for (const entry of entriesOf(path)) {
      if (!isMeant(entry.name) || room.files <= 0) continue;
      const inside = join(path, entry.name);
      if (entry.isDirectory()) {
        add(inside, () => true);
        continue;
      }
      room.files--;
      sum.files++;
      // A publish may have removed it.
      sum.bytes += statSync(inside, { throwIfNoEntry: false })?.size ?? 0;
    }
  };
  add(folder, (name) => name.startsWith(start));
  return sum;
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
