import { type DeriveInput, defineResource, lifecycleEvents } from '../../engine/resource.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { notFoundRule } from '../../kernel/errors.ts'
import type { Team } from '../../schema/team.ts'
import { lockTeams } from './lock-teams.ts'

/** Maximum per workspace. */
const MAX_TEAMS = 200

export const teams = defineResource('teams', {
  deriveFields: deriveTeam,
  events: lifecycleEvents('team.created', 'team.updated', 'team.deleted'),
  snapshot: (team) => ({ team }),
})

/** Checks the number of teams, and that members are members of the workspace and stay so until the team is written. */
async function deriveTeam(
  { before, fields }: DeriveInput<Team>,
  transaction: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<Partial<Team>> {
  const { stores } = transaction
  await lockTeams(transaction)
  const isFull = !before && (await stores.teams.find([])).length >= MAX_TEAMS
  if (isFull) errors.set('name', `The workspace has ${MAX_TEAMS} teams, which is as many as it can have.`)
  const members = fields.members ?? []
  const found = await stores.members.getMany(members.map(({ id }) => id))
  const current = new Set(found.filter(({ removed_at }) => removed_at === null).map(({ id }) => id))
  for (const [index, { id }] of members.entries())
    if (!current.has(id)) errors.set(`members[${index}].id`, notFoundRule('Member'))
  return fields
}
