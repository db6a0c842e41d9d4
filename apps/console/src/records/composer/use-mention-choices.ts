import type { MemberListItem } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { useMenu } from '../../reference/queries.ts'
import { useViewers } from '../../sharing/use-shares.ts'
import type { Kind } from '../kinds.ts'
import { findMembers } from './find-members.ts'

/** The record that a note is about. */
export interface NoteSubject {
  readonly kind: Kind
  readonly id: string
}

export interface MentionChoice {
  readonly member: MemberListItem
  /** False for a member who does not see the record, and would not be notified. */
  readonly canSee: boolean
}

/** The members whom a typed text may mean; none without one. */
export function useMentionChoices(
  typed: string | undefined,
  subject: NoteSubject | undefined,
): readonly MentionChoice[] {
  const { workspace } = useConsole()
  const members = useMenu('members').data ?? []
  const isBounded = subject !== undefined && workspace.visibility[subject.kind] !== 'everyone'
  const viewers = useViewers(subject?.kind ?? 'people', subject?.id ?? '', isBounded && typed !== undefined)
  if (typed === undefined) return []
  const viewerIds = isBounded && viewers.data && new Set(viewers.data.map(({ member_id }) => member_id))
  return findMembers(members, typed).map((member) => ({
    member,
    canSee: viewerIds ? viewerIds.has(member.id) : true,
  }))
}
