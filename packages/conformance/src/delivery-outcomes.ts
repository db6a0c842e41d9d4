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

/** Of one that is under way: it was delivered. */
export function buildDelivered(
  { workspace }: Pick<Context, 'workspace'>,
  { id, lease }: Delivery,
): SuccessfulDelivery {
  return { workspace_id: workspace, id, lease, attempt: ATTEMPT, updated_at: pastInstant(2) }
}

function saveDelivered(
  { storage }: Pick<Context, 'storage'>,
  all: readonly SuccessfulDelivery[],
): Promise<number> {
  return storage.transact((tx) => tx.outbox.markDelivered(all))
}

export const deliveryOutcomes: Group = {
  name: 'markDelivered',
  cases: [
    {
      name: 'each that is under way under its lease is delivered, with the attempt, whatever its workspace; the others stay as they are',
      async run(context) {
        const other = { ...context, workspace: context.otherWorkspace }
        const [mine, second, left, theirs] = [1, 2, 3, 4].map((nth) =>
          buildDelivery(`${nth}`, IN_FLIGHT),
        ) as [Delivery, Delivery, Delivery, Delivery]
        await seedOutbox(context, [mine, second, left])
        await context.storage.transact((tx) => insertDeliveries(tx, other.workspace, [theirs]))
        expect(
          await saveDelivered(context, [
            buildDelivered(context, mine),
            buildDelivered(context, second),
            buildDelivered(other, theirs),
          ]),
        ).toBe(3)
        const after = (before: Delivery) => [{ ...before, ...DELIVERED, updated_at: pastInstant(2) }]
        expect(await loadDeliveries(context, [mine.id])).toEqual(after(mine))
        expect(await loadDeliveries(context, [second.id])).toEqual(after(second))
        expect(await loadDeliveries(other, [theirs.id])).toEqual(after(theirs))
        expect(await loadDeliveries(context, [left.id])).toEqual([left])
        expect(await saveDelivered(context, [])).toBe(0)
      },
    },
    {
      name: 'one that was claimed since, given back, tried before, deleted, or is of another workspace stays as it is, and is not counted',
      async run(context) {
        const rows = {
          claimed: buildDelivery('claimed since', { ...IN_FLIGHT, lease: 4 }),
          back: buildDelivery('given back', { ...IN_FLIGHT, sending: false }),
          tried: buildDelivery('tried before', {
            ...IN_FLIGHT,
            attempts: [{ ...ATTEMPT, status: 500 }],
            attempts_count: 1,
          }),
          unsigned: buildDelivery('not signed before', {
            ...IN_FLIGHT,
            attempts: [{ ...ATTEMPT, status: null, error: 'not_signed' }],
          }),
          theirs: buildDelivery('theirs', IN_FLIGHT),
          sound: buildDelivery('sound', IN_FLIGHT),
        }
        const deleted = buildDelivery('deleted', IN_FLIGHT)
        const { theirs, sound, ...mine } = rows
        await seedOutbox(context, [...Object.values(mine), sound, deleted])
        await context.storage.transact(async (tx) => {
          await insertDeliveries(tx, context.otherWorkspace, [theirs])
          await tx.workspace(context.workspace).deliveries.softDelete(deleted.id, pastInstant(0))
        })
        const all = [...Object.values(mine), theirs, sound, deleted, buildDelivery('nowhere')].map((row) =>
          buildDelivered(context, { ...row, lease: 3 }),
        )
        expect(await saveDelivered(context, all)).toBe(1)
        for (const row of Object.values(mine)) expect(await loadDeliveries(context, [row.id])).toEqual([row])
        expect(await loadDeliveries({ ...context, workspace: context.otherWorkspace }, [theirs.id])).toEqual([
          theirs,
        ])
        expect(await loadDeliveries(context, [sound.id])).toMatchObject([DELIVERED])
        expect(await saveDelivered(context, all)).toBe(0)
      },
    },
    {
      name: 'it sees what its transaction claimed, and is undone with it',
      async run(context) {
        const row = buildDelivery('one', { due_at: pastInstant(0), webhook_id: newId() })
        await seedOutbox(context, [row])
        const failing = context.storage.transact(async (tx) => {
          await tx.workspace(context.workspace).deliveries.update({ ...row, ...IN_FLIGHT })
          expect(await tx.outbox.markDelivered([buildDelivered(context, { ...row, lease: 3 })])).toBe(1)
          expect(await tx.workspace(context.workspace).deliveries.get(row.id)).toMatchObject(DELIVERED)
          throw new Error('undone')
        })
        await expect(failing).rejects.toThrow('undone')
        expect(await loadDeliveries(context, [row.id])).toEqual([row])
      },
    },
    {
      name: 'of ten that note the same at once, one counts each',
      async run(context) {
        const rows = Array.from({ length: 20 }, (_, nth) => buildDelivery(`${nth}`, IN_FLIGHT))
        await seedOutbox(context, rows)
        const all = rows.map((row) => buildDelivered(context, row))
        const noted = await Promise.all(Array.from({ length: 10 }, () => saveDelivered(context, all)))
        expect(noted.reduce((sum, each) => sum + each, 0)).toBe(20)
      },
    },
    {
      name: 'within a read, and once its work is over, a transaction notes nothing',
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
