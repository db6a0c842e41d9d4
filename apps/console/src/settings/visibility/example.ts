import type { MemberListItem, Team } from '@sales-crm/client'
import {
  listRecordViewers,
  type RecordViewer,
  type RuledKind,
  type Visibility,
} from '@sales-crm/core/browser'

type Member = Pick<MemberListItem, 'id' | 'name' | 'role'>

/** Who is in a workspace, in the words of the example. */
export interface ExampleWorkspace {
  readonly members: readonly Member[]
  readonly teams: readonly Pick<Team, 'id' | 'name' | 'members'>[]
  readonly isInvented: boolean
}

const INVENTED: ExampleWorkspace = {
  members: [
    { id: 'ana', name: 'Ana', role: 'owner' },
    { id: 'bruno', name: 'Bruno', role: 'member' },
    { id: 'caio', name: 'Caio', role: 'member' },
    { id: 'duda', name: 'Duda', role: 'member' },
  ],
  teams: [
    {
      ...{ id: 'south', name: 'Sul' },
      members: [
        { id: 'bruno', lead: true },
        { id: 'caio', lead: false },
      ],
    },
  ],
  isInvented: true,
}

/** Rules say nothing of a workspace with fewer than two members who are bounded by them. */
export function chooseExample(
  members: readonly Member[],
  teams: ExampleWorkspace['teams'],
): ExampleWorkspace {
  const bounded = members.filter(({ role }) => role === 'member')
  return bounded.length < 2 ? INVENTED : { members, teams, isInvented: false }
}

/** The member whose records show most of the rule: one who is on a team with others, if there is one. */
export function chooseOwner({ members, teams }: ExampleWorkspace): string | undefined {
  const bounded = members.filter(({ role }) => role === 'member')
  const onTeam = bounded.find(({ id }) =>
    teams.some(({ members }) => members.length > 1 && members.some((each) => each.id === id && !each.lead)),
  )
  return (onTeam ?? bounded[0])?.id
}

export interface ExampleOutcome {
  readonly viewers: readonly RecordViewer[]
  /** Those who do not see the record. */
  readonly others: readonly Member[]
}

/** Tells who sees a record of an owner, by the rules given. */
export function showExample(
  { members, teams }: ExampleWorkspace,
  visibility: Visibility,
  kind: RuledKind,
  owner_user_id: string | null,
): ExampleOutcome {
  const viewers = listRecordViewers(
    kind,
    { owner_user_id, shares: [] },
    {
      visibility,
      // Shares depend on it, and there are none.
      members: members.map((member) => ({ ...member, created_at: '' })),
      teams: teams.map((team) => ({ ...team, removed_member_ids: [] })),
    },
  )
  const seers = new Set(viewers.map(({ member_id }) => member_id))
  return { viewers, others: members.filter(({ id }) => !seers.has(id)) }
}
