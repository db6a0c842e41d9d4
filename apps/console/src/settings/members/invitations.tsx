import type { InvitationListItem } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useNow } from '../../app/now.tsx'
import { removeRecords } from '../../cache/map-records.ts'
import { useChange } from '../../cache/use-change.ts'
import { readAll } from '../../reference/queries.ts'
import { Button } from '../../ui/button.tsx'
import { partStyles, Section } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { type InvitationLink, LinksDialog } from './links-dialog.tsx'
import { listInvitableRoles } from './member-rules.ts'
import { useMembersTexts } from './texts.ts'

/** The open invitations, for owners and admins. */
export function Invitations() {
  const { crm } = useConsole()
  const texts = useMembersTexts()
  const invitations = useQuery({
    queryKey: ['members', 'invitations'],
    queryFn: () => readAll(crm.members.invitations.list()),
  })
  const [links, setLinks] = useState<readonly InvitationLink[]>()
  return (
    <Section title={texts.invitations}>
      <PartQuery query={invitations}>
        {(data) =>
          data.length === 0 ? (
            <p class={partStyles.empty}>{texts.noInvitations}</p>
          ) : (
            <ul class={partStyles.rows} aria-label={texts.invitations}>
              {data.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} showLinks={setLinks} />
              ))}
            </ul>
          )
        }
      </PartQuery>
      {links && <LinksDialog links={links} close={() => setLinks(undefined)} />}
    </Section>
  )
}

interface InvitationRowProps {
  readonly invitation: InvitationListItem
  readonly showLinks: (links: readonly InvitationLink[]) => void
}

function InvitationRow({ invitation, showLinks }: InvitationRowProps) {
  const { crm, me, dates } = useConsole()
  const texts = useMembersTexts()
  const now = useNow()
  const change = useChange()
  const { id, email, role, expires_at } = invitation
  const canChange = listInvitableRoles(me).includes(role)
  const renew = () =>
    change({
      send: () => crm.members.invitations.resend(id),
      onDone: ({ link }) => link !== undefined && showLinks([{ email, link }]),
      done: texts.renewed(email),
    })
  const withdraw = () =>
    change({
      ids: [id],
      send: (call) => call(id, () => crm.members.invitations.remove(id)),
      patchOf: () => (data) => removeRecords(data, id),
      done: texts.withdrawn(email),
    })
  return (
    <li class={partStyles.row}>
      <span class={partStyles.rowText}>
        <span class={partStyles.rowName} title={email}>
          {email}
        </span>
        <span class={partStyles.rowNote}>
          {texts.roles[role]}, {texts.until(dates.instant(new Date(expires_at), now))}
        </span>
      </span>
      {canChange && (
        <>
          <Button small look="quiet" onClick={renew} aria-label={texts.renewFor(email)}>
            {texts.renew}
          </Button>
          <Button small look="quiet" onClick={withdraw} aria-label={texts.withdrawFor(email)}>
            {texts.withdraw}
          </Button>
        </>
      )}
    </li>
  )
}
