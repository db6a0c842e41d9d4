import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { ExampleKind } from '../../schema/example.ts'
import { loadStages } from '../pipelines/pipeline-stages.ts'

/** Records that belong to the version of an example: the stages of a pipeline. */
export function loadParts(
  kind: ExampleKind,
  id: string,
  transaction: WorkspaceTransaction,
): Promise<readonly RecordBase[]> | undefined {
  return kind === 'pipelines' ? loadStages([id], transaction) : undefined
}
