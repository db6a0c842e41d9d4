import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import { Notice } from '../../ui/notice.tsx'
import { useMembersTexts } from './texts.ts'

/** Between two readings of how far it is, in milliseconds. */
const INTERVAL = 1_000

/** Shows how far the records of a removed member are handed over. */
export function HandOver({ memberId }: { readonly memberId: string }) {
  const { crm } = useConsole()
  const texts = useMembersTexts()
  const { data: member } = useQuery({
    queryKey: ['members', memberId],
    queryFn: ({ signal }) => crm.members.get(memberId, { signal }),
    refetchInterval: ({ state }) => (state.data?.reassignment?.ended_at ? false : INTERVAL),
  })
  const reassignment = member?.reassignment
  if (!reassignment) return null
  const { reassign_to, total, reassigned, refused, ended_at } = reassignment
  const names = [member.name, reassign_to?.name ?? texts.nobody] as const
  if (ended_at === null) return <Notice>{texts.handingOver(...names, reassigned, total)}</Notice>
  return (
    <Notice kind={refused > 0 ? 'caution' : 'done'}>
      {texts.handedOver(...names, reassigned)} {refused > 0 && texts.notHandedOver(refused)}
    </Notice>
  )
}
