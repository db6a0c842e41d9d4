import type { Actor, Crm } from '@sales-crm/core'
import type { Option } from './command.ts'

export const AS: Option = {
  value: 'EMAIL',
  help: 'the member in whose name; default an owner',
  field: 'email',
  names: 'Member',
}

/** The member of an e-mail address, or an owner. @throws CrmError `not_found`, `validation_error` */
export async function loadMember(
  { operator }: Pick<Crm, 'operator'>,
  { workspace, email }: { readonly workspace: string; readonly email?: string | undefined },
): Promise<Actor> {
  if (email !== undefined) return operator.actorFor({ workspace, email })
  const members = await operator.membersOf({ workspace })
  const owner = members.find(({ role }) => role === 'owner')!
  return operator.actorFor({ workspace, email: owner.email })
}
