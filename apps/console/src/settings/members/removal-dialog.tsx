import type { MemberListItem, Team } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { isAdmin, useConsole } from '../../app/console-context.ts'
import { useMenu } from '../../reference/queries.ts'
import { BASE_PATH } from '../../session/page-settings.ts'
import { Field, Select } from '../../ui/field.tsx'
import { ConfirmDialog } from '../frame/confirm-dialog.tsx'
import { useDeletion } from '../frame/use-deletion.ts'
import { useMembersTexts } from './texts.ts'

interface RemovalDialogProps {
  readonly member: MemberListItem
  readonly members: readonly MemberListItem[]
  readonly close: () => void
  /** Called once the records are being handed over. */
  readonly followHandOver: (memberId: string) => void
}

const OWNED_KINDS = ['people', 'companies', 'deals', 'tasks'] as const

/** The choice of nobody, who takes over nothing. */
const NOBODY = 'nobody'

/** Asks before a member is removed, or leaves, and who takes over the records. */
export function RemovalDialog({ member, members, close, followHandOver }: RemovalDialogProps) {
  const { crm, me } = useConsole()
  const texts = useMembersTexts()
  const { id, name } = member
  const isMe = id === me.id
  const [successor, setSuccessor] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const owned = useOwnedRecords(member)
  const ledAlone = findTeamsLedAlone(id, useMenu('teams').data ?? [])
  const mustChoose = isAdmin(me) && owned !== ''
  const removal = useDeletion({
    id,
    send: () =>
      crm.members.remove(id, successor === '' || successor === NOBODY ? {} : { reassign_to: successor }),
    done: texts.removed(name),
    onDone() {
      if (isMe) return location.assign(`${BASE_PATH}/account`)
      if (successor !== '' && successor !== NOBODY) followHandOver(id)
      close()
    },
  })
  return (
    <ConfirmDialog
      title={isMe ? texts.leaveTitle : texts.removeTitle(name)}
      confirmLabel={isMe ? texts.leave : texts.remove}
      confirm={() => (mustChoose && successor === '' ? setIsMissing(true) : removal.run())}
      close={close}
      isBusy={removal.isBusy}
      error={removal.error}
      choice={
        mustChoose && (
          <Field
            label={texts.handOverTo}
            hint={owned === undefined ? undefined : texts.owns(name, owned)}
            error={isMissing && successor === '' ? texts.noSuccessor : undefined}
          >
            {(ids) => (
              <Select {...ids} value={successor} change={setSuccessor}>
                <option value="">{texts.choose}</option>
                {members
                  .filter((each) => each.id !== id)
                  .map((each) => (
                    <option key={each.id} value={each.id}>
                      {each.name}
                    </option>
                  ))}
                <option value={NOBODY}>{texts.nobody}</option>
              </Select>
            )}
          </Field>
        )
      }
    >
      {isMe ? texts.leaveText : texts.removeText(name)}
      {ledAlone.length > 0 && ` ${texts.leavesWithoutLead(ledAlone)}`}
    </ConfirmDialog>
  )
}

/** The names of the teams that nobody leads without the member. */
function findTeamsLedAlone(id: string, teams: readonly Team[]): readonly string[] {
  return teams.flatMap(({ name, members }) => {
    const leads = members.filter(({ lead }) => lead)
    return leads.length === 1 && leads[0]?.id === id ? [name] : []
  })
}

/** The number of records of each kind that a member owns, as text; undefined until it is known. */
function useOwnedRecords({ id, email }: MemberListItem): string | undefined {
  const { crm, texts } = useConsole()
  const { data } = useQuery({
    queryKey: ['members', 'owned', id],
    queryFn: ({ signal }) =>
      Promise.all(
        OWNED_KINDS.map(async (kind) => {
          const { meta } = await crm[kind].list({ owner_email: email, per_page: 1 }, { signal })
          return [kind, meta.total] as const
        }),
      ),
  })
  return data
    ?.filter(([, count]) => count > 0)
    .map(([kind, count]) => texts.record.recordCounts[kind](count))
    .join(', ')
}
