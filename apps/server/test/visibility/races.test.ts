import { expect, test } from 'vitest'
import { FairQueue } from '../../src/http/limits/fair-queue.ts'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace, type Service, type Workspace } from '../support/test-service.ts'
import { addWebhook } from '../support/webhook-fixtures.ts'

const READS = 20
const DEALS = 3
const ROUNDS = 3
const POLICY = { leaseSeconds: 30, retrySeconds: 60, retries: 3 }

type Member = Awaited<ReturnType<Workspace['addMember']>>

interface Team {
  readonly service: Service
  readonly acme: Workspace
  readonly ann: Member
  readonly ben: Member
  readonly pipelineId: string
  readonly dealIds: readonly string[]
}

/** A workspace in which Ann sees the deals of Ben as long as something shows them to her. */
async function openTeam(service: Service): Promise<Team> {
  const acme = await openWorkspace(service)
  const { id: pipelineId } = await acme.createRecord('/v1/pipelines', {
    ...{ name: 'Sales', stages: [{ name: 'New' }] },
  })
  const [ann, ben] = [await acme.addMember('ann', 'member'), await acme.addMember('ben', 'member')]
  await acme.call('PATCH', '/v1/workspace', { visibility: { deals: 'team' } })
  const dealIds: string[] = []
  for (let count = 0; count < DEALS; count += 1) {
    const deal = { name: 'Canary roof', amount: 100, currency: 'BRL', owner_user_id: ben.id }
    dealIds.push((await acme.createRecord('/v1/deals', deal)).id)
  }
  return { service, acme, ann, ben, pipelineId, dealIds }
}

/** Sends a request that must succeed. */
async function change({ acme }: Team, method: string, path: string, body?: object): Promise<void> {
  const { status, text } = await acme.call(method, path, body)
  expect([method, path, status < 300 ? 'ok' : text]).toEqual([method, path, 'ok'])
}

/** What hides one deal or all of them from Ann at once, and what shows them. */
interface Change {
  readonly dealCount: number
  show(team: Team): Promise<void>
  hide(team: Team): Promise<void>
}

const shareWith = (team: Team, shares: readonly object[]) =>
  change(team, 'PUT', `/v1/deals/${team.dealIds[0]}/shares`, { shares })
const setOwner = (team: Team, owner: Member) =>
  change(team, 'PATCH', `/v1/deals/${team.dealIds[0]}`, { owner_user_id: owner.id })

async function setTeam(team: Team, members: readonly Member[]): Promise<void> {
  const { json } = await team.acme.call('GET', '/v1/teams')
  const [south] = (json as { readonly data: readonly { readonly id: string }[] }).data
  const input = { name: 'South', members: members.map(({ id }) => ({ id })) }
  if (south) await change(team, 'PATCH', `/v1/teams/${south.id}`, input)
  else await change(team, 'POST', '/v1/teams', input)
}

const CHANGES: Readonly<Record<string, Change>> = {
  'the owner of a record is changed': {
    dealCount: 1,
    show: (team) => setOwner(team, team.ann),
    hide: (team) => setOwner(team, team.ben),
  },
  'a share is removed': {
    dealCount: 1,
    show: (team) => shareWith(team, [{ member_id: team.ann.id, access: 'read' }]),
    hide: (team) => shareWith(team, []),
  },
  'a member leaves a team': {
    dealCount: DEALS,
    show: (team) => setTeam(team, [team.ann, team.ben]),
    hide: (team) => setTeam(team, [team.ben]),
  },
  'a rule is changed': {
    dealCount: DEALS,
    show: (team) => change(team, 'PATCH', '/v1/workspace', { visibility: { deals: 'everyone' } }),
    hide: (team) => change(team, 'PATCH', '/v1/workspace', { visibility: { deals: 'owner' } }),
  },
}

interface Page {
  readonly data: readonly object[]
  readonly meta: { readonly total: number }
}

interface Board {
  readonly stages: readonly {
    readonly count: number
    readonly amount: number
    readonly deals: readonly object[]
  }[]
}

/** Reads whose responses say several times how many deals Ann sees. */
const READ_COUNTS: readonly ((team: Team) => readonly [path: string, count: (json: never) => unknown[]])[] = [
  () => ['/v1/deals?per_page=100', ({ data, meta }: Page) => [data.length, meta.total]],
  () => ['/v1/deals?per_page=100&search=canary', ({ data, meta }: Page) => [data.length, meta.total]],
  ({ pipelineId }) => [
    `/v1/pipelines/${pipelineId}/board`,
    ({ data }: { readonly data: Board }) => data.stages.flatMap(({ count, deals }) => [count, deals.length]),
  ],
]

/** How many deals Ann sees according to a read; its status if it fails. */
async function readCount(team: Team, nth: number): Promise<unknown> {
  const [path, count] = READ_COUNTS[nth % READ_COUNTS.length]!(team)
  const { status, json } = await team.acme.call('GET', path, undefined, { token: team.ann.token })
  if (status !== 200) return status
  const counts = new Set(count(json as never))
  // Within one response, all numbers are those of one moment.
  expect([path, [...counts]]).toEqual([path, [expect.any(Number)]])
  return [...counts][0]
}

const readInParallel = (team: Team) => Array.from({ length: READS / 2 }, (_, nth) => readCount(team, nth))

describeEachStore('while members read', (open) => {
  const openInParallel = async () =>
    openService(await open(), { fairQueue: new FairQueue({ concurrency: READS + 1 }) })

  test.each(Object.entries(CHANGES))('%s at once for all', async (_, { dealCount, show, hide }) => {
    const team = await openTeam(await openInParallel())
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [apply, after] of [
        [show, dealCount],
        [hide, 0],
      ] as const) {
        const [before, , later] = await Promise.all([
          Promise.all(readInParallel(team)),
          apply(team),
          Promise.all(readInParallel(team)),
        ])
        for (const seen of [...before, ...later]) expect([0, dealCount]).toContain(seen)
        const settled = await Promise.all(readInParallel(team))
        expect(settled).toEqual(settled.map(() => after))
      }
  })

  test('a removed member reads all of it or nothing more', async () => {
    const team = await openTeam(await openInParallel())
    await setTeam(team, [team.ann, team.ben])
    const [before, , later] = await Promise.all([
      Promise.all(readInParallel(team)),
      change(team, 'DELETE', `/v1/members/${team.ann.id}`),
      Promise.all(readInParallel(team)),
    ])
    // 0: removed after the call was let in.
    for (const seen of [...before, ...later]) expect([401, 0, DEALS]).toContain(seen)
    const settled = await Promise.all(readInParallel(team))
    expect(settled).toEqual(settled.map(() => 401))
  })
})

/** Claims deliveries that are due, and returns the ids of those that are sent. */
async function claim({ service }: Team, most: number): Promise<readonly string[]> {
  const api = service.crm.deliveryApi(POLICY)
  const requests = await api.claim({ maxPerQueue: most, quota: () => most })
  return requests.map(({ id }) => id)
}

describeEachStore('while deliveries are claimed', (open) => {
  test.each(Object.entries(CHANGES))(
    '%s for those that are claimed later',
    async (_, { dealCount, show, hide }) => {
      const team = await openTeam(await openService(await open()))
      const app = { id: team.acme.id, client_id: await letAppIn(team) }
      const webhook = await addWebhook(team.service, app, { events: ['deal.updated'] })
      await show(team)
      for (const id of team.dealIds.slice(0, dealCount))
        for (let count = 0; count < READS; count += 1)
          await change(team, 'PATCH', `/v1/deals/${id}`, { name: `Roof ${count}` })
      const [first, , second] = await Promise.all([claim(team, 4), hide(team), claim(team, 4)])
      // Nothing is left for a later claim that nobody of the app may have.
      expect(await claim(team, READS * DEALS)).toEqual([])
      const deliveries = await team.service.ports.storage.read((tx) =>
        tx.workspace(team.acme.id).deliveries.find([{ field: 'webhook_id', is: webhook.id }]),
      )
      const sent = [...first, ...second]
      expect(new Set(sent).size).toBe(sent.length)
      for (const { id, status, reason } of deliveries)
        expect([id, status, reason]).toEqual(
          sent.includes(id) ? [id, 'pending', null] : [id, 'dropped', 'access_revoked'],
        )
    },
  )
})

/** An app that only Ann has let in. */
async function letAppIn({ service: { crm }, acme, ann }: Team): Promise<string> {
  const { client_id } = await crm.operator.createApp({
    ...{ name: 'Ann’s app', email: ann.email, redirect_uris: ['https://ann.example/cb'] },
    scopes: ['deals:read', 'webhooks:manage'],
  })
  await crm.operator.createToken({ workspace: acme.slug, client_id, user_email: ann.email })
  return client_id
}
