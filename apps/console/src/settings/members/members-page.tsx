import type { MemberListItem } from '@sales-crm/client'
import { isAdmin, useConsole } from '../../app/console-context.ts'
import { useMembers } from '../../reference/use-members.ts'
import { BASE_PATH } from '../../session/page-settings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { PartPage, partStyles } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { useSettingsTexts } from '../texts.ts'
import { useMembersTexts } from './texts.ts'

export function MembersPage() {
  const { me, workspace, texts: shared } = useConsole()
  const { parts } = useSettingsTexts()
  const texts = useMembersTexts()
  const members = useMembers()
  return (
    <PartPage title={parts.members} lead={texts.lead}>
      {isAdmin(me) && (
        <p>
          <a href={`${BASE_PATH}/workspaces/${workspace.slug}/members`}>{texts.manage}</a>
        </p>
      )}
      <PartQuery query={members}>
        {(data) => (
          <ul class={partStyles.rows} aria-label={parts.members}>
            {sortByName(data, shared.language).map((member) => (
              <MemberRow key={member.id} member={member} isMe={member.id === me.id} />
            ))}
          </ul>
        )}
      </PartQuery>
    </PartPage>
  )
}

function MemberRow({ member, isMe }: { readonly member: MemberListItem; readonly isMe: boolean }) {
  const texts = useMembersTexts()
  return (
    <li class={partStyles.row}>
      <Avatar of={member} />
      <span class={partStyles.rowText}>
        <span class={partStyles.rowName} title={member.name}>
          {member.name}
          {isMe && ` (${texts.you})`}
        </span>
        <span class={partStyles.rowNote} title={member.email}>
          {member.email}
        </span>
      </span>
      <span class={partStyles.rowEnd}>{texts.roles[member.role]}</span>
    </li>
  )
}

function sortByName(members: readonly MemberListItem[], language: string): readonly MemberListItem[] {
  return members.toSorted((a, b) => a.name.localeCompare(b.name, language))
}
