import { CrmError, type RuledKind } from '@sales-crm/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace, type Service } from '../support/test-service.ts'
import {
  actorOf,
  ModelRule,
  type StoredModel,
  storeModel,
  type WorkspaceModel,
  workspaceModel,
} from './model.ts'

const KINDS = ['people', 'companies', 'deals', 'tasks'] as const
const RUNS = 12

type Actor = Awaited<ReturnType<typeof actorOf>>
type View = { readonly id: string } & Readonly<Record<string, unknown>>

/** What a member may see, next to what it gets. */
class Reader {
  readonly #service: Service
  readonly #actor: Actor
  readonly #rule: ModelRule
  readonly #stored: StoredModel

  constructor(service: Service, actor: Actor, rule: ModelRule, stored: StoredModel) {
    this.#service = service
    this.#actor = actor
    this.#rule = rule
    this.#stored = stored
  }

  async check(): Promise<void> {
    for (const kind of KINDS) {
      await this.#checkList(kind)
      await this.#checkEach(kind)
    }
    await this.#checkActivities()
    await this.#checkSums()
    await this.#checkTimelines()
    await this.#checkSearch()
  }

  #visible(kind: RuledKind): readonly string[] {
    return this.#stored.ids[kind].filter((_, nth) => this.#rule.sees(kind, nth)).sort()
  }

  #sees(id: string): boolean {
    return KINDS.some((kind) => this.#visible(kind).includes(id))
  }

  async #checkList(kind: RuledKind): Promise<void> {
    const { crm } = this.#service
    const visible = this.#visible(kind)
    for (const query of [{}, { order_by: 'updated_at', order: 'asc' }, { search: 'canary' }] as const) {
      const { data, meta } = await crm[kind].list(this.#actor, { ...query, per_page: 2 } as never)
      expect([meta.total, data.length]).toEqual([visible.length, Math.min(2, visible.length)])
      const rest = await crm[kind].list(this.#actor, { ...query, per_page: 100 } as never)
      expect(rest.data.map(({ id }) => id).sort()).toEqual(visible)
      for (const view of rest.data) this.#checkLinks(view)
    }
    const lines = await collect(crm[kind].export(this.#actor, { format: 'ndjson' } as never))
    expect(lines.map(({ id }) => id).sort()).toEqual(visible)
    for (const line of lines) this.#checkLinks(line)
  }

  /** What a view embeds is visible, too. */
  #checkLinks(view: object): void {
    for (const name of ['person', 'company', 'deal'] as const) {
      const linked = (view as Readonly<Record<string, unknown>>)[name] as View | null | undefined
      if (linked) expect(this.#sees(linked.id)).toBe(true)
    }
  }

  async #checkEach(kind: RuledKind): Promise<void> {
    const { crm } = this.#service
    const visible = this.#visible(kind)
    for (const id of this.#stored.ids[kind]) {
      const outcomes = await Promise.all([
        statusOf(crm[kind].get(this.#actor, id)),
        statusOf(crm[kind].shares(this.#actor, id)),
        statusOf(crm[kind].update(this.#actor, id, { external_ids: [] })),
      ])
      if (visible.includes(id))
        expect(outcomes).toEqual(['ok', 'ok', expect.stringMatching(/^(ok|forbidden)$/)])
      else expect(outcomes).toEqual(['not_found', 'not_found', 'not_found'])
    }
  }

  async #checkActivities(): Promise<void> {
    const { crm } = this.#service
    const { activityIds, ids } = this.#stored
    const visible = activityIds.filter((_, nth) => this.#rule.seesActivity(nth)).sort()
    for (const id of activityIds)
      expect(await statusOf(crm.activities.get(this.#actor, id))).toBe(
        visible.includes(id) ? 'ok' : 'not_found',
      )
    const lines = await collect(crm.activities.export(this.#actor, { format: 'ndjson' } as never))
    expect(lines.map(({ id }) => id).sort()).toEqual(visible)
    for (const entity of ['people', 'companies', 'deals'] as const)
      for (const id of ids[entity]) {
        const { meta } = await crm.activities.list(this.#actor, { entity, id })
        if (!this.#sees(id)) expect(meta.total).toBe(0)
      }
    expect(await this.#count({ entity: 'activities', metric: 'count' })).toBe(visible.length)
  }

  async #count(input: object): Promise<number> {
    const { groups } = await this.#service.crm.reports.aggregate(this.#actor, input as never)
    return groups.reduce((sum, { count }) => sum + count, 0)
  }

  async #checkSums(): Promise<void> {
    const { crm } = this.#service
    const deals = this.#stored.ids.deals.flatMap((id, nth) => (this.#sees(id) ? [10 ** nth] : []))
    const sum = deals.reduce((total, amount) => total + amount, 0)
    for (const kind of KINDS)
      expect(await this.#count({ entity: kind, metric: 'count' })).toBe(this.#visible(kind).length)
    const byCompany = await crm.reports.aggregate(this.#actor, {
      ...{ entity: 'deals', metric: 'sum', field: 'amount', group_by: 'company_id' },
    } as never)
    expect(byCompany.groups.reduce((total, { value }) => total + (value ?? 0), 0)).toBe(sum)
    // The id of a deleted company is still that of a group.
    for (const { key } of byCompany.groups)
      if (key !== null && key !== this.#stored.deletedId) expect(this.#sees(String(key))).toBe(true)
    const report = await crm.reports.pipelineReport(this.#actor, {})
    expect(report.open.count).toBe(deals.length)
    expect(report.quiet.count).toBe(0)
    const [pipeline] = (await crm.pipelines.list(this.#actor)).data
    const board = await crm.pipelines.board(this.#actor, pipeline!.id)
    const cards = board.stages.flatMap((stage) => stage.deals)
    expect(cards.map(({ id }) => id).sort()).toEqual(this.#visible('deals'))
    for (const card of cards) this.#checkLinks(card)
  }

  async #checkTimelines(): Promise<void> {
    const { crm } = this.#service
    for (const kind of ['people', 'companies', 'deals'] as const)
      for (const id of this.#stored.ids[kind]) {
        const outcome = await statusOf(crm[kind].timeline(this.#actor, id, { limit: 100 }))
        expect(outcome).toBe(this.#sees(id) ? 'ok' : 'not_found')
        if (outcome !== 'ok') continue
        const { data, meta } = await crm[kind].timeline(this.#actor, id, { limit: 100 })
        expect(meta.total).toBe(data.length)
        for (const entry of data) {
          if (entry.kind === 'task') expect(this.#sees(entry.task.id)).toBe(true)
          if (entry.kind === 'deal') expect(this.#sees(entry.deal.id)).toBe(true)
        }
      }
  }

  async #checkSearch(): Promise<void> {
    const { activityIds } = this.#stored
    const search = async (text: string) =>
      (await this.#service.crm.searchRecords(this.#actor, {
        ...{ search: text, limit: 20, kinds: 'people,companies,deals,tasks,activities' },
      })) as Readonly<Record<string, { readonly total: number; readonly records: readonly View[] }>>
    const results = await search('canary')
    const expected = {
      ...Object.fromEntries(KINDS.map((kind) => [kind, this.#visible(kind)])),
      activities: activityIds.filter((_, nth) => this.#rule.seesActivity(nth)).sort(),
    }
    for (const [kind, ids] of Object.entries(expected)) {
      expect(results[kind]!.records.map(({ id }) => id).sort()).toEqual(ids)
      expect(results[kind]!.total).toBe(ids.length)
    }
    const { deals, activities } = await search('companies')
    expect(deals!.records.map(({ id }) => id).sort()).toEqual(this.#visibleThroughCompanies())
    expect([deals!.total, activities!.total]).toEqual([deals!.records.length, 0])
  }

  #visibleThroughCompanies(): readonly string[] {
    const { deals } = this.#stored.ids
    return this.#visible('deals').filter((id) => this.#rule.seesCompanyOf(deals.indexOf(id)))
  }
}

async function statusOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'ok'
  } catch (error) {
    if (!(error instanceof CrmError)) throw error
    return error.code
  }
}

async function collect(lines: AsyncIterable<string>): Promise<readonly View[]> {
  let text = ''
  for await (const piece of lines) text += piece
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as View)
}

async function checkModel(service: Service, model: WorkspaceModel): Promise<void> {
  const workspace = await openWorkspace(service)
  const stored = await storeModel(service, workspace, model)
  const boss = await actorOf(service, workspace.slug, workspace.owner.email)
  for (const kind of KINDS) {
    const { meta } = await service.crm[kind].list(boss)
    const gone = kind === 'companies' && model.deletedCompany !== null ? 1 : 0
    expect(meta.total).toBe(stored.ids[kind].length - gone)
  }
  for (const [member, email] of stored.emails.entries()) {
    if (member === model.removed) continue
    const actor = await actorOf(service, workspace.slug, email)
    await new Reader(service, actor, new ModelRule(model, member), stored).check()
  }
}

describeEachStore('what a member reads', (openStorage) => {
  test('is what the rule shows it, of any workspace', async () => {
    const service = await openService(await openStorage())
    await fc.assert(
      fc.asyncProperty(workspaceModel, (model) => checkModel(service, model)),
      { numRuns: RUNS },
    )
  })
})
