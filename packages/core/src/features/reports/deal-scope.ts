import { loadOwners } from '../../engine/owner.ts'
import { findMemberIdByEmail } from '../../engine/references.ts'
import { getOrNull } from '../../engine/views.ts'
import type { ViewTransaction, WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { notFoundRule, validationError } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Condition } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import type { Pipeline } from '../../schema/pipeline.ts'
import type { Team } from '../../schema/team.ts'
import type { NamedReference, Owner } from '../../schema/views.ts'
import { deals } from '../deals/deal.ts'

interface Range {
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
}

/** @throws CrmError `validation_error` */
export function checkRange({ from, to }: Range): void {
  if (from !== undefined && to !== undefined && to < from)
    throw validationError({ to: 'Must not be before from.' })
}

/** The conditions of a time from one instant to another, inclusive. */
export function whereBetween<Field extends string>(
  field: Field,
  from: Instant | undefined,
  to: Instant | undefined,
): readonly (
  | { readonly field: Field; readonly from: Instant }
  | { readonly field: Field; readonly to: Instant }
)[] {
  return [...(from === undefined ? [] : [{ field, from }]), ...(to === undefined ? [] : [{ field, to }])]
}

interface OwnerQuery {
  readonly owner_email?: string | undefined
  readonly team_id?: string | undefined
}

interface ScopeQuery extends OwnerQuery {
  readonly view?: string | undefined
}

/** Whose records a report counts. */
interface OwnerScope {
  readonly where: readonly (
    | { readonly field: 'owner_user_id'; readonly is: string }
    | { readonly field: 'owner_user_id'; readonly oneOf: readonly string[] }
  )[]
  readonly owner: Owner | null
  readonly team: NamedReference | null
}

/** Which deals a report counts. */
interface DealScope extends Pick<OwnerScope, 'owner' | 'team'> {
  readonly where: readonly Condition<Deal>[]
}

/** @throws CrmError `validation_error` */
export async function loadDealScope(
  { view, ...query }: ScopeQuery,
  transaction: ViewTransaction,
): Promise<DealScope> {
  const scope = await loadOwnerScope(query, transaction)
  const ofView = view === undefined ? [] : await deals.filters.view.conditions(view, transaction)
  return { ...scope, where: [...scope.where, ...(ofView ?? [{ anyOf: [] }])] }
}

/** @throws CrmError `validation_error` */
export async function loadOwnerScope(
  { owner_email, team_id }: OwnerQuery,
  transaction: ViewTransaction,
): Promise<OwnerScope> {
  const ownerId = await findOwnerId(owner_email, transaction)
  const team = team_id === undefined ? null : await loadTeam(team_id, transaction)
  const owners = await loadOwners(ownerId === null ? [] : [ownerId], transaction)
  return {
    where: [
      ...(ownerId === null ? [] : [{ field: 'owner_user_id', is: ownerId } as const]),
      ...(team ? [{ field: 'owner_user_id', oneOf: team.members.map(({ id }) => id) } as const] : []),
    ],
    owner: getOrNull(owners, ownerId),
    team: team && { id: team.id, name: team.name },
  }
}

/** The pipeline to which a report is restricted; null for all. @throws CrmError `validation_error` */
export async function findPipeline(
  id: string | undefined,
  { stores }: WorkspaceTransaction,
): Promise<Pipeline | null> {
  if (id === undefined) return null
  const pipeline = await stores.pipelines.get(id)
  if (!pipeline) throw validationError({ pipeline_id: notFoundRule('Pipeline') })
  return pipeline
}

/** @throws CrmError `validation_error` */
async function loadTeam(id: string, { stores }: WorkspaceTransaction): Promise<Team> {
  const team = await stores.teams.get(id)
  if (!team) throw validationError({ team_id: notFoundRule('Team') })
  return team
}

async function findOwnerId(
  email: string | undefined,
  transaction: WorkspaceTransaction,
): Promise<string | null> {
  if (email === undefined) return null
  const owner = await findMemberIdByEmail(email, transaction)
  if (owner === undefined) throw validationError({ owner_email: 'Member not found.' })
  return owner
}
