import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'

/** The id of an owner, in whose name records are changed for the operator. */
export async function findOwnerId(
  { stores }: WorkspaceTransaction,
  exceptId?: string,
): Promise<string | undefined> {
  const owners = await stores.members.find([
    { field: 'role', is: 'owner' },
    { field: 'removed_at', is: null },
  ])
  return owners.find(({ id }) => id !== exceptId)?.id
}
