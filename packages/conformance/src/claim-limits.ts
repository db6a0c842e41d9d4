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

/** Quotas and order of delivery queues: part of the group `claim`. */
export const limitCases: readonly Case[] = [
  {
    name: 'calls `quota` once per queue with due deliveries, longest due first, counting to `maxPerQueue`',
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
      const { queues, quota } = recordQueues(() => 0)
      const none = { workspace_id, host: undefined }
      expect(await claim(context, { maxPerQueue: 2, quota })).toEqual([])
      expect(queues).toEqual([
        { ...none, webhook_id: c, dueCount: 1 },
        { ...none, webhook_id: a, dueCount: 2 },
        { ...none, webhook_id: b, dueCount: 2 },
      ])
    },
  },
  {
    name: 'passes the current host of the webhook, or none if it is deleted or of another workspace',
    async run(context) {
      const { storage, workspace, otherWorkspace } = context
      const [live, softDeleted, hardDeleted, foreign] = [
        buildWebhook('a.example'),
        buildWebhook('b.example'),
        buildWebhook('c.example'),
        buildWebhook('d.example'),
      ]
      const own = [live, softDeleted, hardDeleted]
      await seedOutbox(
        context,
        [...own, foreign].map(({ id }, nth) =>
          buildDelivery(`${nth}`, { webhook_id: id, due_at: pastInstant(nth - 9) }),
        ),
      )
      await storage.transact(async (tx) => {
        await tx.workspace(workspace).webhooks.insertMany(own)
        await tx.workspace(otherWorkspace).webhooks.insertMany([foreign, { ...live, host: 'e.example' }])
      })
      const hosts = async () => {
        const { queues, quota } = recordQueues(() => 0)
        await claim(context, { quota })
        return queues.map(({ host }) => host)
      }
      expect(await hosts()).toEqual(['a.example', 'b.example', 'c.example', undefined])
      await storage.transact(async (tx) => {
        const { webhooks } = tx.workspace(workspace)
        await webhooks.update({ ...live, host: 'f.example' })
        await webhooks.softDelete(softDeleted.id, pastInstant(0))
        await webhooks.hardDelete(hardDeleted.id)
      })
      expect(await hosts()).toEqual(['f.example', undefined, undefined, undefined])
    },
  },
  {
    name: 'treats webhooks with the same id in two workspaces as two queues',
    async run(context) {
      const { storage, workspace, otherWorkspace } = context
      const webhook_id = newId()
      await seedOutbox(context, [buildDelivery('mine', { webhook_id, due_at: pastInstant(-1) })])
      await storage.transact((tx) =>
        insertDeliveries(tx, otherWorkspace, [buildDelivery('theirs', { webhook_id })]),
      )
      const { queues, quota } = recordQueues(({ workspace_id }) => (workspace_id === workspace ? 0 : 1))
      expect(eventsOf(await claim(context, { quota }))).toEqual(['theirs'])
      expect(queues.map(({ workspace_id, dueCount }) => [workspace_id, dueCount])).toEqual([
        [workspace, 1],
        [otherWorkspace, 1],
      ])
    },
  },
  {
    name: 'takes the longest due deliveries of a queue first',
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
      for (const count of [1, 2, 1, 1]) events.push(...eventsOf(await claim(context, { quota: () => count })))
      expect(events).toEqual(['1', '2', '3', '4', '5'])
    },
  },
  {
    name: 'takes as many deliveries of each queue as `quota` returns, but no more than were counted',
    async run(context) {
      const quotas = { a: 2, b: Number.POSITIVE_INFINITY, c: -1, d: 0, e: 1 }
      const ids = new Map(Object.keys(quotas).map((name) => [newId(), name as keyof typeof quotas]))
      const rows = [...ids].flatMap(([webhook_id, name]) =>
        [1, 2, 3, 4].map((nth) =>
          buildDelivery(`${name}${nth}`, { webhook_id, due_at: pastInstant(nth - 100) }),
        ),
      )
      await seedOutbox(context, rows)
      const quota: Claim['quota'] = ({ webhook_id }) => quotas[ids.get(webhook_id)!]
      expect(eventsOf(await claim(context, { maxPerQueue: 3, quota }))).toEqual([
        'a1',
        'a2',
        'b1',
        'b2',
        'b3',
        'e1',
      ])
      expect(eventsOf(await claim(context, { maxPerQueue: 3, quota }))).toEqual(['a3', 'a4', 'b4', 'e2'])
      const { queues, quota: unusedQuota } = recordQueues(() => 1)
      for (const maxPerQueue of [0, -1])
        expect(await claim(context, { maxPerQueue, quota: unusedQuota })).toEqual([])
      expect(queues).toEqual([])
    },
  },
  {
    name: 'leaves a queue with quota 0 unchanged, and its deliveries do not delay other queues',
    async run(context) {
      const webhook_id = newId()
      const busy = Array.from({ length: 300 }, (_, nth) =>
        buildDelivery('busy', { webhook_id, due_at: pastInstant(nth - 1000) }),
      )
      await seedOutbox(context, [...busy, buildDelivery('other')])
      const quota = (queue: DeliveryQueue) => (queue.webhook_id === webhook_id ? 0 : 1)
      expect(eventsOf(await claim(context, { quota }))).toEqual(['other'])
      expect(await claim(context, { quota })).toEqual([])
      const remaining = await claim(context)
      expect(remaining.filter(({ delivery }) => delivery.event !== 'busy' || delivery.lease !== 1)).toEqual(
        [],
      )
      expect(remaining).toHaveLength(300)
    },
  },
]

/** Wraps `quota` and records the queues it is called with. */
function recordQueues(quota: Claim['quota']) {
  const queues: DeliveryQueue[] = []
  const recordingQuota = (queue: DeliveryQueue) => {
    queues.push(queue)
    return quota(queue)
  }
  return { queues, quota: recordingQuota }
}

function buildWebhook(host: string): Records['webhooks'] {
  const fields = {
    client_id: null,
    url: `https://${host}/`,
    host,
    events: ['task.created'],
    sealed_secret: null,
    creator_user_id: null,
  } as const
  return { id: newId(), ...fields, created_at: pastInstant(0), updated_at: pastInstant(0) }
}
