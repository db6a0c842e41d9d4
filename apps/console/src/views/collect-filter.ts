import type { FilterTree, MemberListItem, Team } from '@sales-crm/client'
import { type Filter, parseFilter } from '../filters/filter.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { ME, parseOwner } from '../reference/owner-query.ts'

interface Reference {
  readonly members: readonly MemberListItem[]
  readonly teams: readonly Team[]
}

/** The filter of a page as a view keeps it: its comparisons and its chips. What is searched for is none. */
export function collectFilter(kind: CreatableKind, params: URLSearchParams, reference: Reference): Filter {
  const filter = parseFilter(params.get('filter') ?? undefined)
  const chips = [
    ...ownerConditions(params.get('owner'), reference),
    ...choose('tags', 'any_of', params.get('tag')),
    ...choose('lists', 'any_of', params.get('list')),
    ...(kind === 'deals' ? dealConditions(params) : []),
    ...(kind === 'tasks' ? taskConditions(params) : []),
  ]
  if (chips.length === 0) return filter
  const own: readonly FilterTree[] =
    filter.join === 'or' && filter.parts.length > 1 ? [{ or: filter.parts }] : filter.parts
  return { join: 'and', parts: [...own, ...chips] }
}

function choose(field: string, op: string, value: string | null | undefined): readonly FilterTree[] {
  return value ? [{ field, op, value: [value] }] : []
}

function ownerConditions(owner: string | null, { members, teams }: Reference): readonly FilterTree[] {
  if (owner === ME) return [{ field: 'owner', op: 'any_of', value: ['me'] }]
  const { team_id, owner_email } = parseOwner(owner, { email: '' })
  const team = teams.find(({ id }) => id === team_id)
  if (team) return [{ field: 'owner', op: 'any_of', value: team.members.map(({ id }) => id) }]
  return choose('owner', 'any_of', members.find(({ email }) => email === owner_email)?.id)
}

function dealConditions(params: URLSearchParams): readonly FilterTree[] {
  const status = params.get('status') ?? (params.has('saved') ? 'all' : 'open')
  return [
    ...choose('pipeline', 'any_of', params.get('pipeline')),
    ...choose('stage', 'any_of', params.get('stage')),
    ...(status === 'all' ? [] : choose('stage.type', 'any_of', status)),
  ]
}

function taskConditions(params: URLSearchParams): readonly FilterTree[] {
  const isSaved = params.has('saved')
  const status = params.get('status') ?? (isSaved ? 'all' : 'open')
  const due = params.get('due') ?? (isSaved ? 'any' : 'dated')
  return [
    ...(status === 'all' ? [] : [{ field: 'completed', op: 'is', value: status === 'done' }]),
    ...(DUE_CONDITIONS[due] ?? []),
  ]
}

const DUE_CONDITIONS: Readonly<Record<string, readonly FilterTree[]>> = {
  dated: [{ field: 'due_date', op: 'is_not_empty' }],
  overdue: [{ field: 'due_date', op: 'before', value: 'today' }],
  today: [{ field: 'due_date', op: 'is', value: 'today' }],
  week: [{ field: 'due_date', op: 'in_next', value: 7 }],
}
