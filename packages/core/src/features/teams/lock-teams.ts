import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'

/** Held by what changes the teams of a workspace, and by the removal of a member from it. */
export function lockTeams(transaction: WorkspaceTransaction): Promise<void> {
  return transaction.lock('teams')
}
