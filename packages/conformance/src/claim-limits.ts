import type { Claim, DeliveryQueue, Records } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, newId } from './case.ts'
import {
  buildDelivery,
  claim,
  eventsOf,
  insertDeliveries,
  pastInstant,
  seedOutbox,
} from './sample-deliveries.ts'

/** How much is claimed of which lane, and what first: part of `claims`. */
export const limitCases: readonly Case[] = [
  {
    name: '`share` is asked once for each lane where something is due, with what is counted up to `each`; that which has waited longest first',
    async run(context) {
      const { workspace: workspace_id } = context
      const [a, b, c, d] = [newId(), newId(), newId(), newId()]
      const rows = [
        ...[-20, -1].map((since) => buildDelivery('a', { webhook_id: a, due_at: pastInstant(since) })),
        ...[-10, -9, -8].map((since) => buildDelivery('b', { webhook_id: b, due_at: pastInstant(since) })),
        buildDelivery('c', { webhook_id: c, due_at: pastInstant(-30) }),
        buildDelivery('c', { webhook_id: c, due_at: pastInstant(1) }),
        buildDelivery('d', { webhook_id: d, due_at: pastInstant(1) }),
      ]
      await seedOutbox(context, rows)
      const { lanes: queues, share } = recordQueues(() => 0)
      const none = { workspace_id, host: undefined }
      expect(await claim(context, { maxPerQueue: 2, quota: share })).toEqual([])
      expect(queues).toEqual([
        { ...none, webhook_id: c, dueCount: 1 },
        { ...none, webhook_id: a, dueCount: 2 },
        { ...none, webhook_id: b, dueCount: 2 },
      ])
    },
  },
  {
    name: 'a lane has the host that its webhook has now, and none where it is deleted, or erased, or of another workspace',
    async run(context) {
      const { storage, workspace, otherWorkspace } = context
      const [moved, deleted, erased, foreign] = [
        webhook('a.example'),
        webhook('b.example'),
        webhook('c.example'),
        webhook('d.example'),
      ]
      const mine = [moved, deleted, erased]
      await seedOutbox(
        context,
        [...mine, foreign].map(({ id }, nth) =>
          buildDelivery(`${nth}`, { webhook_id: id, due_at: pastInstant(nth - 9) }),
        ),
      )
      await storage.transact(async (tx) => {
        await tx.workspace(workspace).webhooks.insertMany(mine)
        await tx.workspace(otherWorkspace).webhooks.insertMany([foreign, { ...moved, host: 'e.example' }])
      })
      const hosts = async () => {
        const { lanes: queues, share } = recordQueues(() => 0)
        await claim(context, { quota: share })
        return queues.map(({ host }) => host)
      }
      expect(await hosts()).toEqual(['a.example', 'b.example', 'c.example', undefined])
      await storage.transact(async (tx) => {
        const { webhooks } = tx.workspace(workspace)
        await webhooks.update({ ...moved, host: 'f.example' })
        await webhooks.softDelete(deleted.id, pastInstant(0))
        await webhooks.hardDelete(erased.id)
      })
      expect(await hosts()).toEqual(['f.example', undefined, undefined, undefined])
    },
  },
  {
    name: 'webhooks of one id in two workspaces are two lanes',
    async run(context) {
      const { storage, workspace, otherWorkspace } = context
      const webhook_id = newId()
      await seedOutbox(context, [buildDelivery('mine', { webhook_id, due_at: pastInstant(-1) })])
      await storage.transact((tx) =>
        insertDeliveries(tx, otherWorkspace, [buildDelivery('theirs', { webhook_id })]),
      )
      const { lanes: queues, share } = recordQueues(({ workspace_id }) =>
        workspace_id === workspace ? 0 : 1,
      )
      expect(eventsOf(await claim(context, { quota: share }))).toEqual(['theirs'])
      expect(queues.map(({ workspace_id, dueCount }) => [workspace_id, dueCount])).toEqual([
        [workspace, 1],
        [otherWorkspace, 1],
      ])
    },
  },
  {
    name: 'of a lane goes first what has been due longest',
    async run(context) {
      const webhook_id = newId()
      const rows = [5, 1, 4, 2, 3].map((nth) =>
        buildDelivery(`${nth}`, {
          webhook_id,
          due_at: pastInstant(nth - 100),
          created_at: pastInstant(-nth),
          updated_at: pastInstant(-nth),
        }),
      )
      await seedOutbox(context, rows)
      const events: string[] = []
      for (const share of [1, 2, 1, 1]) events.push(...eventsOf(await claim(context, { quota: () => share })))
      expect(events).toEqual(['1', '2', '3', '4', '5'])
    },
  },
  {
    name: 'of each lane as many are taken as `share` says, but no more than it was told of',
    async run(context) {
      const shares = { a: 2, b: Number.POSITIVE_INFINITY, c: -1, d: 0, e: 1 }
      const ids = new Map(Object.keys(shares).map((name) => [newId(), name as keyof typeof shares]))
      const rows = [...ids].flatMap(([webhook_id, name]) =>
        [1, 2, 3, 4].map((nth) =>
          buildDelivery(`${name}${nth}`, { webhook_id, due_at: pastInstant(nth - 100) }),
        ),
      )
      await seedOutbox(context, rows)
      const share: Claim['quota'] = ({ webhook_id }) => shares[ids.get(webhook_id)!]
      expect(eventsOf(await claim(context, { maxPerQueue: 3, quota: share }))).toEqual([
        'a1',
        'a2',
        'b1',
        'b2',
        'b3',
        'e1',
      ])
      expect(eventsOf(await claim(context, { maxPerQueue: 3, quota: share }))).toEqual([
        'a3',
        'a4',
        'b4',
        'e2',
      ])
      const { lanes: queues, share: unasked } = recordQueues(() => 1)
      expect(await claim(context, { maxPerQueue: 0, quota: unasked })).toEqual([])
      expect(queues).toEqual([])
    },
  },
  {
    name: 'a lane of which nothing is taken stays as it is, and what waits there keeps no other waiting',
    async run(context) {
      const webhook_id = newId()
      const busy = Array.from({ length: 300 }, (_, nth) =>
        buildDelivery('busy', { webhook_id, due_at: pastInstant(nth - 1000) }),
      )
      await seedOutbox(context, [...busy, buildDelivery('other')])
      const share = (queue: DeliveryQueue) => (queue.webhook_id === webhook_id ? 0 : 1)
      expect(eventsOf(await claim(context, { quota: share }))).toEqual(['other'])
      expect(await claim(context, { quota: share })).toEqual([])
      const left = await claim(context)
      expect(left.filter(({ delivery }) => delivery.event !== 'busy' || delivery.lease !== 1)).toEqual([])
      expect(left).toHaveLength(300)
    },
  },
]

/** Notes what it is asked for. */
function recordQueues(share: Claim['quota']) {
  const queues: DeliveryQueue[] = []
  const noted = (queue: DeliveryQueue) => {
    queues.push(queue)
    return share(queue)
  }
  return { lanes: queues, share: noted }
}

function webhook(host: string): Records['webhooks'] {
  const told = {
    client_id: null,
    url: `https://${host}/`,
    host,
    events: ['task.created'],
    sealed_secret: null,
  } as const
  return { id: newId(), ...told, created_at: pastInstant(0), updated_at: pastInstant(0) }
}
