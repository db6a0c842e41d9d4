import { type Actor, SCOPES } from '../../kernel/actor.ts'
import type { Ports } from '../../ports/index.ts'
import { findWorkspaceBySlug } from '../workspaces/workspace.ts'
import { findMemberByEmail } from './remove-member.ts'

/**
 * Loads the actor of a member, for a program that embeds the core. Defaults to all scopes.
 * @throws CrmError `not_found`
 */
export async function loadActor(
  { storage }: Pick<Ports, 'storage'>,
  {
    workspace,
    email: address,
    scopes = SCOPES,
    clientId = 'embedded',
  }: { workspace: string; email: string; scopes?: readonly string[]; clientId?: string },
): Promise<Actor> {
  return storage.read(async (tx) => {
    const { id } = await findWorkspaceBySlug(tx, workspace)
    const { member } = await findMemberByEmail(tx, id, address, 'get')
    return { workspaceId: id, userId: member.id, role: member.role, clientId, scopes: new Set(scopes) }
  })
}
