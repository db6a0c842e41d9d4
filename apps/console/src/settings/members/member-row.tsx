import type { MemberListItem } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { mapRecords } from '../../cache/map-records.ts'
import { type Change, useChange } from '../../cache/use-change.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LazyMenu } from '../../ui/lazy-menu.tsx'
import { partStyles } from '../frame/part-page.tsx'
import { canRemove, isDemotion, listAssignableRoles, type Role } from './member-rules.ts'
import styles from './members-page.module.css'
import { useMembersTexts } from './texts.ts'

interface MemberRowProps {
  readonly member: MemberListItem
  readonly members: readonly MemberListItem[]
  readonly askRemoval: () => void
}

/** A member with the role, and what the user may do about it. */
export function MemberRow({ member, members, askRemoval }: MemberRowProps) {
  const { me } = useConsole()
  const texts = useMembersTexts()
  const isMe = member.id === me.id
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
      <RoleMenu member={member} />
      <span class={styles.more}>
        {canRemove(me, member, members) && (
          <LazyMenu
            align="end"
            trigger={<IconButton small icon="dots" label={texts.more(member.name)} />}
            groups={() => [
              {
                actions: [
                  {
                    label: isMe ? texts.leave : texts.remove,
                    icon: 'x',
                    isRisky: true,
                    select: askRemoval,
                  },
                ],
              },
            ]}
          />
        )}
      </span>
    </li>
  )
}

/** The role of a member: a menu where the user may change it. */
function RoleMenu({ member }: { readonly member: MemberListItem }) {
  const { me } = useConsole()
  const texts = useMembersTexts()
  const changeRole = useRoleChange()
  const roles = listAssignableRoles(me, member)
  if (roles.length === 0) return <span class={partStyles.rowEnd}>{texts.roles[member.role]}</span>
  return (
    <LazyMenu
      align="end"
      trigger={
        <Button small look="quiet" aria-label={texts.roleOf(member.name, texts.roles[member.role])}>
          {texts.roles[member.role]}
          <Icon name="down" />
        </Button>
      }
      groups={() => [
        {
          actions: roles.map((role) => ({
            label: texts.roles[role],
            after: texts.may[role],
            isChecked: role === member.role,
            select: () => role !== member.role && changeRole(member, role),
          })),
        },
      ]}
    />
  )
}

function useRoleChange() {
  const { crm } = useConsole()
  const texts = useMembersTexts()
  const change = useChange()
  const buildChange = (
    { id, name, role: before }: Pick<MemberListItem, 'id' | 'name' | 'role'>,
    role: Role,
  ): Change => ({
    ids: [id],
    send: (call) => call(id, () => crm.members.update(id, { role })),
    patchOf: () => (data) => mapRecords(data, id, (record) => ({ ...record, role })),
    ...(isDemotion(before, role)
      ? { done: texts.demoted(name, texts.roles[role]) }
      : {
          done: texts.roleChanged(name, texts.roles[role]),
          undo: () => buildChange({ id, name, role }, before),
        }),
  })
  return (member: MemberListItem, role: Role): void => change(buildChange(member, role))
}
