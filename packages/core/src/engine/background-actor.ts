import { type Actor, SCOPES } from '../kernel/actor.ts'
import type { Role } from '../kernel/role.ts'

type Member = Pick<Actor, 'workspaceId' | 'userId'> & { readonly role: Role }

/** The member in whose name the background works. The API has checked the scopes of the token that began the work. */
export function backgroundActor(member: Member, scopes: readonly string[] = SCOPES): Actor {
  const { workspaceId, userId, role } = member
  return { workspaceId, userId, role, clientId: 'background', scopes: new Set(scopes) }
}
