import { validate } from '../../engine/validate.ts'
import { type Actor, SCOPES } from '../../kernel/actor.ts'
import { knownEmail } from '../../kernel/field-schemas.ts'
import { object, optional } from '../../kernel/object-schemas.ts'
import { singleLineText } from '../../kernel/text-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import { appScopes } from '../oauth/server/app.ts'
import { findWorkspaceBySlug } from '../workspaces/workspace.ts'
import { findMemberByEmail } from './remove-member.ts'

const actorInput = object({
  workspace: singleLineText(1, 63),
  email: knownEmail,
  ...optional({ scopes: appScopes, clientId: singleLineText(1, 255) }),
})

/**
 * Loads the actor of a member, for a program that embeds the core. Defaults to all scopes.
 * @throws CrmError `validation_error`, `not_found`
 */
export async function loadActor(
  { storage }: Pick<Ports, 'storage'>,
  input: { workspace: string; email: string; scopes?: readonly string[]; clientId?: string },
): Promise<Actor> {
  const { workspace, email: address, scopes, clientId } = validate(actorInput, input)
  return storage.read(async (tx) => {
    const { id } = await findWorkspaceBySlug(tx, workspace)
    const { member } = await findMemberByEmail(tx, id, address, 'get')
    return {
      workspaceId: id,
      userId: member.id,
      role: member.role,
      clientId: clientId ?? 'embedded',
      scopes: new Set(scopes ?? SCOPES),
    }
  })
}
