import type { MemberListItem } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { useMenu } from '../../reference/queries.ts'

/** The names of the members whom to ask, such as the owners. */
export function useManagerNames(canManage: (member: MemberListItem) => boolean): string {
  const { texts } = useConsole()
  const { data = [] } = useMenu('members')
  const names = data.filter(canManage).map(({ name }) => name)
  return new Intl.ListFormat(texts.language, { type: 'disjunction' }).format(names)
}
