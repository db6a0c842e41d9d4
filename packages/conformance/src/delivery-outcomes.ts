import type { Attempt, ClaimedDelivery, SuccessfulDelivery } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Context, type Group, newId } from './case.ts'
import {
  buildDelivery,
  insertDeliveries,
  loadDeliveries,
  pastInstant,
  seedOutbox,
} from './sample-deliveries.ts'

type Delivery = ClaimedDelivery['delivery']

const ATTEMPT: Attempt = {
  created_at: pastInstant(1),
  duration_ms: 7,
  status: 204,
  error: null,
  response: 'é "\\ \u2028',
}
const IN_FLIGHT = { sending: true, lease: 3, due_at: pastInstant(60) }
const DELIVERED = {
  status: 'delivered',
  reason: null,
  attempts: [ATTEMPT],
  attempts_count: 1,
  due_at: null,
  sending: false,
} as const

/** Builds the successful outcome of a delivery in flight. */
export function buildDelivered(
  { workspace }: Pick<Context, 'workspace'>,
  { id, lease }: Delivery,
): SuccessfulDelivery {
  return { workspace_id: workspace, id, lease, attempt: ATTEMPT, updated_at: pastInstant(2) }
}

function markDelivered(
  { storage }: Pick<Context, 'storage'>,
  deliveries: readonly SuccessfulDelivery[],
): Promise<number> {
  return storage.transact((tx) => tx.outbox.markDelivered(deliveries))
}

export const deliveryOutcomes: Group = {
  name: 'markDelivered',
  cases: [
    {
      name: 'marks deliveries in flight under the given lease, in any workspace, and no others',
      async run(context) {
        const other = { ...context, workspace: context.otherWorkspace }
        const [own, second, unmarked, foreign] = [1, 2, 3, 4].map((nth) =>
          buildDelivery(`${nth}`, { ...IN_FLIGHT, reason: nth === 1 ? 'retries_exhausted' : null }),
        ) as [Delivery, Delivery, Delivery, Delivery]
        await seedOutbox(context, [own, second, unmarked])
        await context.storage.transact((tx) => insertDeliveries(tx, other.workspace, [foreign]))
        expect(
          await markDelivered(context, [
            buildDelivered(context, own),
            buildDelivered(context, second),
            buildDelivered(other, foreign),
          ]),
        ).toBe(3)
        const expected = (before: Delivery) => [{ ...before, ...DELIVERED, updated_at: pastInstant(2) }]
        expect(await loadDeliveries(context, [own.id])).toEqual(expected(own))
        expect(await loadDeliveries(context, [second.id])).toEqual(expected(second))
        expect(await loadDeliveries(other, [foreign.id])).toEqual(expected(foreign))
        expect(await loadDeliveries(context, [unmarked.id])).toEqual([unmarked])
        expect(await markDelivered(context, [])).toBe(0)
      },
    },
    {
      name: 'skips deliveries with another lease, not sending, attempted before, deleted or elsewhere',
      async run(context) {
        const rows = {
          otherLease: buildDelivery('other lease', { ...IN_FLIGHT, lease: 4 }),
          notSending: buildDelivery('not sending', { ...IN_FLIGHT, sending: false }),
          attempted: buildDelivery('attempted before', {
            ...IN_FLIGHT,
            attempts: [{ ...ATTEMPT, status: 500 }],
            attempts_count: 1,
          }),
          unsigned: buildDelivery('not signed before', {
            ...IN_FLIGHT,
            attempts: [{ ...ATTEMPT, status: null, error: 'not_signed' }],
          }),
          foreign: buildDelivery('theirs', IN_FLIGHT),
          valid: buildDelivery('valid', IN_FLIGHT),
        }
        const deleted = buildDelivery('deleted', IN_FLIGHT)
        const { foreign, valid, ...own } = rows
        await seedOutbox(context, [...Object.values(own), valid, deleted])
        await context.storage.transact(async (tx) => {
          await insertDeliveries(tx, context.otherWorkspace, [foreign])
          await tx.workspace(context.workspace).deliveries.softDelete(deleted.id, pastInstant(0))
        })
        const all = [...Object.values(own), foreign, valid, deleted, buildDelivery('nowhere')].map((row) =>
          buildDelivered(context, { ...row, lease: 3 }),
        )
        expect(await markDelivered(context, all)).toBe(1)
        for (const row of Object.values(own)) expect(await loadDeliveries(context, [row.id])).toEqual([row])
        expect(await loadDeliveries({ ...context, workspace: context.otherWorkspace }, [foreign.id])).toEqual(
          [foreign],
        )
        expect(await loadDeliveries(context, [valid.id])).toMatchObject([DELIVERED])
        expect(await markDelivered(context, all)).toBe(0)
      },
    },
    {
      name: 'sees earlier writes of its transaction and is rolled back with it',
      async run(context) {
        const row = buildDelivery('one', { due_at: pastInstant(0), webhook_id: newId() })
        await seedOutbox(context, [row])
        const failing = context.storage.transact(async (tx) => {
          await tx.workspace(context.workspace).deliveries.update({ ...row, ...IN_FLIGHT })
          expect(await tx.outbox.markDelivered([buildDelivered(context, { ...row, lease: 3 })])).toBe(1)
          expect(await tx.workspace(context.workspace).deliveries.get(row.id)).toMatchObject(DELIVERED)
          throw new Error('rolled back')
        })
        await expect(failing).rejects.toThrow('rolled back')
        expect(await loadDeliveries(context, [row.id])).toEqual([row])
      },
    },
    {
      name: 'counts each delivery once among ten concurrent calls',
      async run(context) {
        const rows = Array.from({ length: 20 }, (_, nth) => buildDelivery(`${nth}`, IN_FLIGHT))
        await seedOutbox(context, rows)
        const all = rows.map((row) => buildDelivered(context, row))
        const counts = await Promise.all(Array.from({ length: 10 }, () => markDelivered(context, all)))
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20)
      },
    },
    {
      name: 'rejects within a read and after the work has ended',
      async run(context) {
        const row = buildDelivery('one', IN_FLIGHT)
        await seedOutbox(context, [row])
        const all = [buildDelivered(context, row)]
        await expect(context.storage.read(({ outbox }) => outbox.markDelivered(all))).rejects.toThrow()
        const { outbox } = await context.storage.transact(async (tx) => tx)
        await expect(outbox.markDelivered(all)).rejects.toThrow()
        expect(await loadDeliveries(context, [row.id])).toEqual([row])
      },
    },
  ],
}
