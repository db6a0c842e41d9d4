import type { Engine } from '../../../engine/extension.ts'
import { loadOwners } from '../../../engine/owner.ts'
import type { WorkspaceTransaction } from '../../../engine/workspace-transaction.ts'
import { emitEvents, loadWebhooks } from '../../webhooks/emit-events.ts'
import type { ImportRecord } from '../import-record.ts'
import { toImportView } from '../import-view.ts'

/** Sends `import.completed`, for an import that sends no events of its records. */
export async function announceCompletion(
  record: ImportRecord,
  transaction: WorkspaceTransaction,
  { now, newId }: Pick<Engine, 'now' | 'newId'>,
): Promise<void> {
  if (record.options.events !== 'summary') return
  const buildEvents = async () => ({
    events: ['import.completed'] as const,
    snapshot: {
      import: toImportView(record, { owners: await loadOwners([record.user_id], transaction), at: now() }),
    },
  })
  await emitEvents(await loadWebhooks(transaction), buildEvents, transaction, { at: now(), newId })
}
