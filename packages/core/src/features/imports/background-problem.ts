import { addSeconds, type Instant, MINUTE } from '../../kernel/instant.ts'
import type { ImportState } from '../../schema/import.ts'
import type { ImportProblem, ImportRecord } from './import-record.ts'

/** States in which a process works on an import, or soon does. */
const WORKING: readonly ImportState[] = ['reading', 'checking', 'running', 'reverting']

export const NO_BACKGROUND: ImportProblem = {
  code: 'no_background',
  message: 'No process of this service does background work. Its operator starts it with startBackground().',
  line: null,
}

/** True for an import that no process has taken for a minute. */
export function isAbandoned({ state, due_at }: Pick<ImportRecord, 'state' | 'due_at'>, at: Instant): boolean {
  return WORKING.includes(state) && due_at !== null && addSeconds(due_at, MINUTE) < at
}
