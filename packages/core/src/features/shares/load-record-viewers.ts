import { findLinkedOwners } from '../../engine/visible-records.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { listRecordViewers, type RecordViewer } from '../../kernel/record-viewers.ts'
import type { OwnedRecord, RuledKind } from '../../kernel/visibility.ts'

/** Owners of linked records count as far as the reader of the transaction sees those. */
export async function loadRecordViewers(
  kind: RuledKind,
  record: OwnedRecord,
  { workspaceId, stores, shared }: WorkspaceTransaction,
): Promise<readonly RecordViewer[]> {
  const [workspace, members, teams, linkedOwnerIds] = await Promise.all([
    shared.workspaces.get(workspaceId),
    stores.members.find([{ field: 'removed_at', is: null }]),
    stores.teams.find([]),
    kind === 'tasks' ? findLinkedOwners(record, stores) : new Set<string>(),
  ])
  return listRecordViewers(kind, record, { ...workspace!, members, teams }, linkedOwnerIds)
}
