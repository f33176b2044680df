/** Runs a study over a published version, in this process. */

import { studyQuery } from '../../api/routes/study/query.ts';
import { answeredStudy, type StudyAnswer } from '../../api/study/answer.ts';
import { studyRows } from '../../api/study/respond.ts';
import { limits } from '../../base/limits.ts';
import { lastOf } from '../../screens/run/in-steps.ts';
import { ScreenMemory } from '../../screens/run/screen-memory.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';

/** @throws {ParameterError} A parameter breaks a rule. */
export function studyVersion(
  version: PublishedVersion,
  query: string,
): StudyAnswer & { data: ReturnType<typeof studyRows> } {
  const memory = new ScreenMemory(limits.screens.memoryBytesMax);
  const answer = lastOf(answeredStudy(version, memory, studyQuery(query, undefined)));
  return { ...answer, data: studyRows(answer.table) };
}
