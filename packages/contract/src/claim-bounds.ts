import type { Claim, Lane, Records } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, newId } from './case.ts'
import { claim, delivery, eventsOf, longAgo, post, posted } from './outbox-samples.ts'

/** How much is claimed of which lane, and what first: part of `claims`. */
export const bounds: readonly Case[] = [
  {
    name: '`share` is asked once for each lane where something is due, with what is counted up to `each`; that which has waited longest first',
    async run(context) {
      const { workspace: workspace_id } = context
      const [a, b, c, d] = [newId(), newId(), newId(), newId()]
      const rows = [
        ...[-20, -1].map((since) => delivery('a', { webhook_id: a, due_at: longAgo(since) })),
        ...[-10, -9, -8].map((since) => delivery('b', { webhook_id: b, due_at: longAgo(since) })),
        delivery('c', { webhook_id: c, due_at: longAgo(-30) }),
        delivery('c', { webhook_id: c, due_at: longAgo(1) }),
        delivery('d', { webhook_id: d, due_at: longAgo(1) }),
      ]
      await posted(context, rows)
      const { lanes, share } = noting(() => 0)
      const none = { workspace_id, host: undefined }
      expect(await claim(context, { each: 2, share })).toEqual([])
      expect(lanes).toEqual([
        { ...none, webhook_id: c, waiting: 1 },
        { ...none, webhook_id: a, waiting: 2 },
        { ...none, webhook_id: b, waiting: 2 },
      ])
    },
  },
  {
    name: 'a lane has the host that its webhook has now, and none where it is deleted, or erased, or of another workspace',
    async run(context) {
      const { storage, workspace, elsewhere } = context
      const [moved, deleted, erased, foreign] = [webhook('a.example'), webhook('b.example'), webhook('c.example'), webhook('d.example')]
      const mine = [moved, deleted, erased]
      await posted(
        context,
        [...mine, foreign].map(({ id }, nth) => delivery(`${nth}`, { webhook_id: id, due_at: longAgo(nth - 9) })),
      )
      await storage.transact(async (tx) => {
        await tx.workspace(workspace).webhooks.insertMany(mine)
        await tx.workspace(elsewhere).webhooks.insertMany([foreign, { ...moved, host: 'e.example' }])
      })
      const hosts = async () => {
        const { lanes, share } = noting(() => 0)
        await claim(context, { share })
        return lanes.map(({ host }) => host)
      }
      expect(await hosts()).toEqual(['a.example', 'b.example', 'c.example', undefined])
      await storage.transact(async (tx) => {
        const { webhooks } = tx.workspace(workspace)
        await webhooks.update({ ...moved, host: 'f.example' })
        await webhooks.softDelete(deleted.id, longAgo(0))
        await webhooks.erase(erased.id)
      })
      expect(await hosts()).toEqual(['f.example', undefined, undefined, undefined])
    },
  },
  {
    name: 'webhooks of one id in two workspaces are two lanes',
    async run(context) {
      const { storage, workspace, elsewhere } = context
      const webhook_id = newId()
      await posted(context, [delivery('mine', { webhook_id, due_at: longAgo(-1) })])
      await storage.transact((tx) => post(tx, elsewhere, [delivery('theirs', { webhook_id })]))
      const { lanes, share } = noting(({ workspace_id }) => (workspace_id === workspace ? 0 : 1))
      expect(eventsOf(await claim(context, { share }))).toEqual(['theirs'])
      expect(lanes.map(({ workspace_id, waiting }) => [workspace_id, waiting])).toEqual([
        [workspace, 1],
        [elsewhere, 1],
      ])
    },
  },
  {
    name: 'of a lane goes first what has been due longest',
    async run(context) {
      const webhook_id = newId()
      const rows = [5, 1, 4, 2, 3].map((nth) =>
        delivery(`${nth}`, { webhook_id, due_at: longAgo(nth - 100), created_at: longAgo(-nth), updated_at: longAgo(-nth) }),
      )
      await posted(context, rows)
      const events: string[] = []
      for (const share of [1, 2, 1, 1]) events.push(...eventsOf(await claim(context, { share: () => share })))
      expect(events).toEqual(['1', '2', '3', '4', '5'])
    },
  },
  {
    name: 'of each lane as many are taken as `share` says, but no more than it was told of',
    async run(context) {
      const shares = { a: 2, b: Number.POSITIVE_INFINITY, c: -1, d: 0, e: 1 }
      const ids = new Map(Object.keys(shares).map((name) => [newId(), name as keyof typeof shares]))
      const rows = [...ids].flatMap(([webhook_id, name]) =>
        [1, 2, 3, 4].map((nth) => delivery(`${name}${nth}`, { webhook_id, due_at: longAgo(nth - 100) })),
      )
      await posted(context, rows)
      const share: Claim['share'] = ({ webhook_id }) => shares[ids.get(webhook_id)!]
      expect(eventsOf(await claim(context, { each: 3, share }))).toEqual(['a1', 'a2', 'b1', 'b2', 'b3', 'e1'])
      expect(eventsOf(await claim(context, { each: 3, share }))).toEqual(['a3', 'a4', 'b4', 'e2'])
      const { lanes, share: unasked } = noting(() => 1)
      expect(await claim(context, { each: 0, share: unasked })).toEqual([])
      expect(lanes).toEqual([])
    },
  },
  {
    name: 'a lane of which nothing is taken stays as it is, and what waits there keeps no other waiting',
    async run(context) {
      const webhook_id = newId()
      const busy = Array.from({ length: 300 }, (_, nth) => delivery('busy', { webhook_id, due_at: longAgo(nth - 1000) }))
      await posted(context, [...busy, delivery('other')])
      const share = (lane: Lane) => (lane.webhook_id === webhook_id ? 0 : 1)
      expect(eventsOf(await claim(context, { share }))).toEqual(['other'])
      expect(await claim(context, { share })).toEqual([])
      const left = await claim(context)
      expect(left.filter(({ delivery }) => delivery.event !== 'busy' || delivery.lease !== 1)).toEqual([])
      expect(left).toHaveLength(300)
    },
  },
]

/** Notes what it is asked for. */
function noting(share: Claim['share']) {
  const lanes: Lane[] = []
  const noted = (lane: Lane) => {
    lanes.push(lane)
    return share(lane)
  }
  return { lanes, share: noted }
}

function webhook(host: string): Records['webhooks'] {
  const told = { client_id: null, url: `https://${host}/`, host, events: ['task.created'], sealed_secret: null } as const
  return { id: newId(), ...told, created_at: longAgo(0), updated_at: longAgo(0) }
}
