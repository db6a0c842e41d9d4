import type { Condition, Transaction } from '../ports.ts'
import type { Code } from './code.ts'

/** Makes codes that were not exchanged yet good for nothing. Those that were stay, so that a second use is noticed. */
export async function forgetCodes({ codes }: Transaction, workspaceId: string, userId: string, clientId?: string): Promise<void> {
  const where: Condition<Code>[] = [
    { field: 'user_id', is: userId },
    { field: 'workspace_id', is: workspaceId },
    { field: 'grant_id', is: null },
  ]
  if (clientId !== undefined) where.push({ field: 'client_id', is: clientId })
  for (const { id } of await codes.find(where)) await codes.erase(id)
}
