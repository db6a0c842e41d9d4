import { RULED_KINDS, type RuledKind, SCOPES, VISIBILITY_RULES, type Visibility } from '@sales-crm/core'
import fc from 'fast-check'
import type { Service, Workspace } from '../support/test-service.ts'

/** Owners of records: members by their number, the owner of the workspace, or nobody. */
type Who = 0 | 1 | 2 | 3 | 'boss' | null

const MEMBERS = [0, 1, 2, 3] as const

interface TeamModel {
  readonly members: readonly { readonly member: number; readonly lead: boolean }[]
}

type ShareModel = { readonly member: number } | { readonly team: number }

interface RecordModel {
  readonly owner: Who
  readonly share: ShareModel | null
  /** The linked person, company and deal, by their numbers; a task or an activity has at most one. */
  readonly links: readonly [RuledKind, number] | null
}

/** A workspace with some records of each kind. */
export interface WorkspaceModel {
  readonly visibility: Visibility
  readonly teams: readonly TeamModel[]
  readonly records: Readonly<Record<RuledKind, readonly RecordModel[]>>
  readonly activities: readonly Omit<RecordModel, 'share'>[]
  /** Removed from the workspace in the end. */
  readonly removed: number | null
  /** A company that is deleted in the end. */
  readonly deletedCompany: number | null
}

const COUNTS = { people: 4, companies: 3, deals: 4, tasks: 5 } as const

const owner = fc.constantFrom<Who>(0, 1, 2, 3, 'boss', null)
const share = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.record({ member: fc.constantFrom(...MEMBERS) }) },
  { weight: 1, arbitrary: fc.record({ team: fc.nat(1) }) },
)
const linkTo = (...kinds: readonly ('people' | 'companies' | 'deals')[]) =>
  fc.oneof(
    fc.constant(null),
    ...kinds.map((kind) => fc.nat(COUNTS[kind] - 1).map((nth) => [kind, nth] as const)),
  )
const recordOf = (links: ReturnType<typeof linkTo>) => fc.record({ owner, share, links })
const listOf = (kind: RuledKind, links: ReturnType<typeof linkTo>) =>
  fc.array(recordOf(links), { minLength: COUNTS[kind], maxLength: COUNTS[kind] })

export const workspaceModel: fc.Arbitrary<WorkspaceModel> = fc.record({
  visibility: fc.record(
    Object.fromEntries(RULED_KINDS.map((kind) => [kind, fc.constantFrom(...VISIBILITY_RULES)])) as never,
  ) as unknown as fc.Arbitrary<Visibility>,
  teams: fc.array(
    fc.record({
      members: fc.uniqueArray(fc.record({ member: fc.constantFrom(...MEMBERS), lead: fc.boolean() }), {
        selector: ({ member }) => member,
      }),
    }),
    { minLength: 2, maxLength: 2 },
  ),
  records: fc.record({
    companies: listOf('companies', fc.constant(null) as never),
    people: listOf('people', linkTo('companies')),
    deals: listOf('deals', linkTo('people', 'companies')),
    tasks: listOf('tasks', linkTo('people', 'companies', 'deals')),
  }),
  activities: fc.array(fc.record({ owner, links: linkTo('people', 'companies', 'deals') }), {
    minLength: 4,
    maxLength: 4,
  }),
  removed: fc.oneof(fc.constant(null), fc.constantFrom(...MEMBERS)),
  deletedCompany: fc.oneof(fc.constant(null), fc.nat(COUNTS.companies - 1)),
})

/** Which of the records of a model a member sees: the rule, written a second time. */
export class ModelRule {
  readonly #model: WorkspaceModel
  readonly #member: number

  constructor(model: WorkspaceModel, member: number) {
    this.#model = model
    this.#member = member
  }

  sees(kind: RuledKind, nth: number): boolean {
    const record = this.#model.records[kind][nth]!
    if (kind === 'companies' && nth === this.#model.deletedCompany) return false
    const rule = this.#model.visibility[kind]
    if (rule === 'everyone' || record.owner === null || this.#isShared(record)) return true
    if (kind === 'tasks' && record.links && this.#owns(...record.links)) return true
    return this.#isVisibleOwner(record.owner, rule === 'team')
  }

  seesActivity(nth: number): boolean {
    const { owner: author, links } = this.#model.activities[nth]!
    if (Object.values(this.#model.visibility).every((rule) => rule === 'everyone')) return true
    const isAlone = !links || (links[0] === 'companies' && links[1] === this.#model.deletedCompany)
    return isAlone ? author === this.#member : this.sees(...links)
  }

  /** True if the company of a deal is visible. */
  seesCompanyOf(deal: number): boolean {
    const { links } = this.#model.records.deals[deal]!
    return links?.[0] === 'companies' && this.sees('companies', links[1])
  }

  #owns(kind: RuledKind, nth: number): boolean {
    if (kind === 'companies' && nth === this.#model.deletedCompany) return false
    return this.#model.records[kind][nth]!.owner === this.#member
  }

  #isShared({ share: shared }: RecordModel): boolean {
    if (!shared) return false
    return 'member' in shared ? shared.member === this.#member : this.#isIn(this.#model.teams[shared.team]!)
  }

  #isIn({ members }: TeamModel, lead?: true): boolean {
    return members.some((each) => each.member === this.#member && (!lead || each.lead))
  }

  #isVisibleOwner(who: Who, ofTeams: boolean): boolean {
    if (who === this.#member) return true
    return this.#model.teams.some((team) => {
      const hasOwner = team.members.some(({ member }) => member === who)
      const isOpen = this.#isIn(team, true) || (ofTeams && this.#isIn(team) && who !== this.#model.removed)
      return hasOwner && isOpen
    })
  }
}

/** The records of a model in a workspace, by kind and number. */
export interface StoredModel {
  readonly ids: Readonly<Record<RuledKind, readonly string[]>>
  readonly activityIds: readonly string[]
  readonly deletedId: string | null
  readonly memberIds: readonly string[]
  readonly emails: readonly string[]
}

type Crm = Service['crm']

export async function storeModel(
  { crm }: Service,
  workspace: Pick<Workspace, 'slug' | 'owner' | 'addMember'>,
  model: WorkspaceModel,
): Promise<StoredModel> {
  const boss = await crm.operator.actorFor({ workspace: workspace.slug, email: workspace.owner.email })
  const members = []
  for (const nth of MEMBERS) members.push(await workspace.addMember(`m${nth}`, 'member'))
  const memberIds = members.map(({ id }) => id)
  const idOf = (who: Who) => (who === null ? null : who === 'boss' ? boss.userId : memberIds[who]!)
  const teamIds: string[] = []
  for (const [nth, team] of model.teams.entries()) {
    const entries = team.members.map(({ member, lead }) => ({ id: memberIds[member]!, lead }))
    teamIds.push((await crm.teams.create(boss, { name: `Team ${nth}`, members: entries })).id)
  }
  await crm.pipelines.create(boss, { name: 'Sales', stages: [{ name: 'New' }] })
  const ids: Record<RuledKind, string[]> = { companies: [], people: [], deals: [], tasks: [] }
  const linksOf = (links: RecordModel['links']) =>
    links ? { [FIELDS[links[0]]]: ids[links[0]][links[1]]! } : {}
  for (const kind of ['companies', 'people', 'deals', 'tasks'] as const)
    for (const [nth, record] of model.records[kind].entries()) {
      const input = { ...named(kind, nth), ...linksOf(record.links), owner_user_id: idOf(record.owner) }
      const { id } = await crm[kind].create(boss, input as never)
      ids[kind].push(id)
      if (record.share)
        await crm[kind].setShares(boss, id, { shares: [toShare(record.share, memberIds, teamIds)] })
    }
  const activityIds = await storeActivities(crm, model, { ids, boss, idOf })
  if (model.deletedCompany !== null) await crm.companies.remove(boss, ids.companies[model.deletedCompany]!)
  await crm.workspace.update(boss, { visibility: model.visibility })
  if (model.removed !== null) await crm.members.remove(boss, memberIds[model.removed]!)
  const deletedId = model.deletedCompany === null ? null : ids.companies[model.deletedCompany]!
  return { ids, activityIds, deletedId, memberIds, emails: members.map(({ email }) => email) }
}

const FIELDS: Readonly<Record<RuledKind, string>> = {
  ...{ people: 'person_id', companies: 'company_id', deals: 'deal_id', tasks: '' },
}

/** All records have the word `canary`, so that a search finds them. */
function named(kind: RuledKind, nth: number): object {
  const name = `canary ${kind} ${nth}`
  if (kind === 'deals') return { name, amount: 10 ** nth, currency: 'BRL' }
  return kind === 'tasks' ? { title: name } : { full_name: name }
}

function toShare(shared: ShareModel, memberIds: readonly string[], teamIds: readonly string[]) {
  return 'member' in shared
    ? { member_id: memberIds[shared.member]!, access: 'read' as const }
    : { team_id: teamIds[shared.team]!, access: 'read' as const }
}

async function storeActivities(
  crm: Crm,
  { activities }: WorkspaceModel,
  context: {
    readonly ids: Readonly<Record<RuledKind, readonly string[]>>
    readonly boss: Awaited<ReturnType<Crm['operator']['actorFor']>>
    idOf(who: Who): string | null
  },
): Promise<readonly string[]> {
  const ids: string[] = []
  for (const [nth, { owner: author, links }] of activities.entries()) {
    const link = links ? { entity: links[0], entity_id: context.ids[links[0]][links[1]]! } : {}
    const owner_user_id = context.idOf(author)
    const input = { content_html: `canary activity ${nth}`, owner_user_id, ...link }
    ids.push((await crm.activities.create(context.boss, input as never)).id)
  }
  return ids
}

/** An actor with each scope. */
export async function actorOf({ crm }: Service, slug: string, email: string) {
  const actor = await crm.operator.actorFor({ workspace: slug, email })
  return { ...actor, scopes: new Set(SCOPES) }
}
