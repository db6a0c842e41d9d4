import fc from 'fast-check'
import { claimDeliveries } from '../src/features/webhooks/claim-deliveries.ts'
import type { DeliveryRequest } from '../src/features/webhooks/delivery-types.ts'
import { buildOutboxRows } from '../src/features/webhooks/emit-events.ts'
import { releaseDeliveries, saveOutcomes } from '../src/features/webhooks/save-outcomes.ts'
import type { Ports } from '../src/ports/index.ts'
import type { Storage } from '../src/ports/storage.ts'
import type { Delivery } from '../src/schema/delivery.ts'
import { fakeClock, NOON, secrets, sequentialIds } from './harness.ts'
import { assertExclusiveLeases, type ClaimedRequest, type LeaseHistory, POLICY } from './lease-history.ts'
import { scheduledStorage, type TransactionFate } from './scheduled-storage.ts'
import { insertWebhook } from './webhooks.ts'

export type Action =
  | { readonly do: 'claim'; readonly worker: number; readonly each: number }
  /** Of what the worker holds, or held once: it may come late, or again. */
  | {
      readonly do: 'settle'
      readonly worker: number
      readonly from: number
      readonly count: number
      readonly isRefused: boolean
    }
  | { readonly do: 'give back'; readonly worker: number; readonly from: number; readonly count: number }
  /** It forgets all, answers that are on their way to it too. */
  | { readonly do: 'crash'; readonly worker: number }
  | { readonly do: 'look' }
  | { readonly do: 'time'; readonly seconds: number }

const worker = fc.nat(2)
const actionFields = { worker, from: fc.nat(4), count: fc.integer({ min: 1, max: 3 }) }

/** What is done at once, and then what once all of that was answered. */
export const phases: fc.Arbitrary<readonly (readonly Action[])[]> = fc.array(
  fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ do: fc.constant('claim'), worker, each: fc.integer({ min: 1, max: 3 }) }),
      },
      {
        weight: 4,
        arbitrary: fc.record({ do: fc.constant('settle'), ...actionFields, isRefused: fc.boolean() }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('give back'), ...actionFields }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('crash'), worker }) },
      { weight: 1, arbitrary: fc.constant({ do: 'look' } as const) },
      {
        weight: 3,
        arbitrary: fc.record({ do: fc.constant('time'), seconds: fc.constantFrom(1, 20, 29, 30, 31) }),
      },
    ),
    { minLength: 1, maxLength: 5 },
  ),
  { minLength: 2, maxLength: 8 },
)

/** Most transactions are kept. */
export const transactionFates: fc.Arbitrary<readonly TransactionFate[]> = fc.array(
  fc.constantFrom('kept', 'kept', 'kept', 'kept', 'refused', 'unheard'),
  {
    maxLength: 12,
  },
)

const newId = sequentialIds(1_000_000)

interface Run {
  readonly storage: Storage
  readonly s: fc.Scheduler
  readonly phases: readonly (readonly Action[])[]
  readonly lucks: readonly TransactionFate[]
  /** How many deliveries there are. */
  readonly count: number
}

/**
 * Has three workers do what is asked of them, in an order that the scheduler makes; then one of them goes on
 * alone.
 * @throws Error that says what happened which must not
 */
export async function runLeaseModel({ storage, s, phases, lucks, count }: Run): Promise<void> {
  const clock = fakeClock(NOON)
  const workspace = newId()
  const ports = { storage, now: clock.now, newId, secrets }
  await insertDeliveries(ports, workspace, count)
  const drawn = lucks.values()
  const shared = { ...ports, storage: scheduledStorage(storage, s, () => drawn.next().value ?? 'kept') }
  const history: LeaseHistory = { given: [], settled: [], givenBack: [], looks: [] }
  const workers = [0, 1, 2].map(() => ({ life: 0, hand: [] as ClaimedRequest[] }))
  const next = createSequence()

  async function claim(over: typeof ports, each: number): Promise<ClaimedRequest[]> {
    const called = next()
    let at = clock.now()
    const now = () => {
      at = clock.now()
      return at
    }
    const share = (lane: { readonly workspace_id: string; readonly dueCount: number }) =>
      lane.workspace_id === workspace ? lane.dueCount : 0
    const none = { keys: () => '', reportedSecrets: new Set<string>() }
    const sendings = await claimDeliveries({ ...over, now, ...none }, POLICY, {
      maxPerQueue: each,
      quota: share,
    })
    const given = sendings.map((sending) => ({ sending, at, called, answered: next() }))
    history.given.push(...given)
    return given
  }

  async function settle(
    over: typeof ports,
    of: readonly ClaimedRequest[],
    isRefused: boolean,
  ): Promise<void> {
    const called = next()
    const noted = of.map(({ sending }, nth) => ({
      sending,
      called,
      isRefused,
      name: `${called}-${nth}`,
      at: clock.now(),
      answered: Infinity,
    }))
    history.settled.push(...noted)
    const sent = noted.map(({ sending: request, name: response, at: created_at }) => ({
      request,
      attempt: { created_at, duration_ms: 0, status: isRefused ? 500 : 200, error: null, response },
    }))
    // Tried again until it is heard that it was noted, as a sender does.
    for (let tries = 0; ; tries += 1) {
      try {
        await saveOutcomes(over, POLICY, sent)
        break
      } catch (error) {
        if (tries === 20) throw error
      }
    }
    for (const each of noted) each.answered = next()
  }

  async function look(over: Pick<Ports, 'storage'>): Promise<readonly Delivery[]> {
    const called = next()
    const rows = await over.storage.read((tx) => tx.workspace(workspace).deliveries.find([]))
    history.looks.push({ called, answered: next(), rows })
    return rows
  }

  async function perform(act: Action): Promise<void> {
    if (act.do === 'time') return clock.advance(act.seconds)
    if (act.do === 'look') return void (await look(shared))
    const one = workers[act.worker]!
    if (act.do === 'crash') {
      one.life += 1
      one.hand = []
    } else if (act.do === 'claim') {
      const { life } = one
      const given = await claim(shared, act.each).catch(() => [])
      if (one.life === life) one.hand.push(...given)
    } else {
      const from = act.from % Math.max(1, one.hand.length)
      const of = one.hand.slice(from, from + act.count)
      if (act.do === 'settle') await settle(shared, of, act.isRefused)
      else {
        history.givenBack.push(...of.map(({ sending }) => ({ sending, called: next() })))
        await releaseDeliveries(shared, of.map(sendingOf)).catch(() => undefined)
      }
    }
  }

  for (const acts of phases) {
    const begun = acts.map((act) => s.schedule(Promise.resolve(), act.do).then(() => perform(act)))
    await s.waitFor(Promise.all(begun))
  }
  await look(ports)
  clock.advance(POLICY.leaseSeconds + POLICY.retrySeconds)
  await settle(ports, await claim(ports, 100), false)
  assertExclusiveLeases(history, await look(ports))
}

function createSequence(): () => number {
  let last = 0
  return () => {
    last += 1
    return last
  }
}

function sendingOf({ sending }: ClaimedRequest): DeliveryRequest {
  return sending
}

async function insertDeliveries(
  ports: Pick<Ports, 'storage' | 'now' | 'newId'>,
  workspace: string,
  count: number,
): Promise<void> {
  const webhooks = [await insertWebhook(ports, workspace), await insertWebhook(ports, workspace)]
  for (let nth = 0; nth < count; nth += 1) {
    const telling = {
      snapshot: { nth },
      recipients: [{ webhook_id: webhooks[nth % 2]!.id, event: 'task.created' as const }],
    }
    const { snapshot, deliveries } = buildOutboxRows(telling, { at: ports.now(), newId })
    await ports.storage.transact(async (tx) => {
      const stores = tx.workspace(workspace)
      await stores.snapshots.insert(snapshot)
      await stores.deliveries.insertMany(deliveries)
    })
  }
}
