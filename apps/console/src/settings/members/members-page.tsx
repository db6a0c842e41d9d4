import type { MemberListItem } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { isAdmin, useConsole } from '../../app/console-context.ts'
import { useKeys } from '../../keyboard/use-keys.ts'
import { useMembers } from '../../reference/use-members.ts'
import { BASE_PATH } from '../../session/page-settings.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../frame/confirm-dialog.tsx'
import { PartPage, partStyles, Section } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { useDeletion } from '../frame/use-deletion.ts'
import { useSettingsTexts } from '../texts.ts'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberRow } from './member-row.tsx'
import { useMembersTexts } from './texts.ts'

/** The members, and for owners and admins the invitations. */
export function MembersPage() {
  const { me } = useConsole()
  const { parts } = useSettingsTexts()
  const texts = useMembersTexts()
  const members = useMembers()
  const [isInviting, setIsInviting] = useState(false)
  const canInvite = isAdmin(me)
  useKeys(canInvite ? { c: () => setIsInviting(true) } : {})
  return (
    <PartPage>
      <Section
        level={2}
        title={parts.members}
        end={
          canInvite && (
            <Button look="main" icon="plus" aria-haspopup="dialog" onClick={() => setIsInviting(true)}>
              {texts.inviteTitle} <kbd>C</kbd>
            </Button>
          )
        }
      >
        <p class={partStyles.text}>{texts.lead}</p>
        <PartQuery query={members}>{(data) => <MemberRows members={data} />}</PartQuery>
      </Section>
      {canInvite && <Invitations />}
      {isInviting && <InviteDialog close={() => setIsInviting(false)} />}
    </PartPage>
  )
}

function MemberRows({ members }: { readonly members: readonly MemberListItem[] }) {
  const { texts: shared } = useConsole()
  const { parts } = useSettingsTexts()
  const [removedId, setRemovedId] = useState<string>()
  const removed = members.find(({ id }) => id === removedId)
  return (
    <>
      <ul class={partStyles.rows} aria-label={parts.members}>
        {sortByName(members, shared.language).map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            members={members}
            askRemoval={() => setRemovedId(member.id)}
          />
        ))}
      </ul>
      {removed && <Removal member={removed} close={() => setRemovedId(undefined)} />}
    </>
  )
}

interface RemovalProps {
  readonly member: MemberListItem
  readonly close: () => void
}

/** Asks before a member is removed, or leaves. */
function Removal({ member: { id, name }, close }: RemovalProps) {
  const { crm, me } = useConsole()
  const texts = useMembersTexts()
  const isMe = id === me.id
  const removal = useDeletion({
    id,
    send: () => crm.members.remove(id),
    done: texts.removed(name),
    onDone: () => (isMe ? location.assign(`${BASE_PATH}/account`) : close()),
  })
  return (
    <ConfirmDialog
      title={isMe ? texts.leaveTitle : texts.removeTitle(name)}
      confirmLabel={isMe ? texts.leave : texts.remove}
      confirm={removal.run}
      close={close}
      isBusy={removal.isBusy}
      fault={removal.fault}
    >
      {isMe ? texts.leaveText : texts.removeText(name)}
    </ConfirmDialog>
  )
}

function sortByName(members: readonly MemberListItem[], language: string): readonly MemberListItem[] {
  return members.toSorted((a, b) => a.name.localeCompare(b.name, language))
}
