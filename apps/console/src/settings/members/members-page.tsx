import type { MemberListItem } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { isAdmin, useConsole } from '../../app/console-context.ts'
import { useKeys } from '../../keyboard/use-keys.ts'
import { useMenu } from '../../reference/queries.ts'
import { Button } from '../../ui/button.tsx'
import { PartPage, partStyles, Section } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { useSettingsTexts } from '../texts.ts'
import { HandOver } from './hand-over.tsx'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberRow } from './member-row.tsx'
import styles from './members-page.module.css'
import { RemovalDialog } from './removal-dialog.tsx'
import { useMembersTexts } from './texts.ts'

/** The members, and for owners and admins the invitations. */
export function MembersPage() {
  const { me } = useConsole()
  const { parts } = useSettingsTexts()
  const texts = useMembersTexts()
  const members = useMenu('members')
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
  const [handOvers, setHandOvers] = useState<readonly string[]>([])
  const removed = members.find(({ id }) => id === removedId)
  return (
    <>
      {handOvers.length > 0 && (
        <div class={styles.handOvers}>
          {handOvers.map((id) => (
            <HandOver key={id} memberId={id} />
          ))}
        </div>
      )}
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
      {removed && (
        <RemovalDialog
          member={removed}
          members={members}
          close={() => setRemovedId(undefined)}
          followHandOver={(id) => setHandOvers((ids) => [...ids, id])}
        />
      )}
    </>
  )
}

function sortByName(members: readonly MemberListItem[], language: string): readonly MemberListItem[] {
  return members.toSorted((a, b) => a.name.localeCompare(b.name, language))
}
