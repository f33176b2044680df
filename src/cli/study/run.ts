/** Runs a study over a published version, in this process. */

import { studyQuery } from '../../api/routes/study/query.ts';
import { answeredStudy, type StudyAnswer } from '../../api/study/answer.ts';
import { studyRows } from '../../api/study/respond.ts';
import { limits } from '../../base/limits.ts';
import { ScreenMemory } from '../../screens/run/screen-memory.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';

/** @throws {ParameterError} A parameter breaks a rule. */
export function studyVersion(
  version: PublishedVersion,
  query: string,
): StudyAnswer & { data: ReturnType<typeof studyRows> } {
  const memory = new ScreenMemory(limits.screens.memoryBytesMax);
  const steps = answeredStudy(version, memory, studyQuery(query, undefined));
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { ...value, data: studyRows(value.table) };
  }
}
