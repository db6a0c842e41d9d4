import { type Actor, SCOPES } from '../actor.ts'
import type { Ports } from '../ports.ts'
import { workspaceBySlug } from '../workspaces/workspace.ts'
import { memberNamed } from './membership.ts'

/** An actor for a program that embeds the core: a member, with every scope unless fewer are named. @throws CrmError `not_found` */
export async function actorFor(
  { storage }: Pick<Ports, 'storage'>,
  {
    workspace,
    email: address,
    scopes = SCOPES,
    clientId = 'embedded',
  }: { workspace: string; email: string; scopes?: readonly string[]; clientId?: string },
): Promise<Actor> {
  return storage.read(async (tx) => {
    const { id } = await workspaceBySlug(tx, workspace)
    const { member } = await memberNamed(tx, id, address, 'get')
    return { workspaceId: id, userId: member.id, role: member.role, clientId, scopes: new Set(scopes) }
  })
}
