import fc from 'fast-check'
import type { Ports, Storage } from '../src/ports.ts'
import { claimDeliveries } from '../src/webhooks/claim-deliveries.ts'
import type { Sending } from '../src/webhooks/delivering.ts'
import type { Delivery } from '../src/webhooks/delivery.ts'
import { outgoing } from '../src/webhooks/emit.ts'
import { giveBackDeliveries, settleDeliveries } from '../src/webhooks/settle-deliveries.ts'
import { clockAt, idsFrom, NOON, secrets } from './harness.ts'
import { type Given, type LeaseHistory, mustHoldAlone, POLICY } from './lease-history.ts'
import { type Luck, scheduledStorage } from './scheduled-storage.ts'
import { addWebhook } from './webhooks.ts'

export type Act =
  | { readonly do: 'claim'; readonly worker: number; readonly each: number }
  /** Of what the worker holds, or held once: it may come late, or again. */
  | { readonly do: 'settle'; readonly worker: number; readonly from: number; readonly count: number; readonly isRefused: boolean }
  | { readonly do: 'give back'; readonly worker: number; readonly from: number; readonly count: number }
  /** It forgets all, answers that are on their way to it too. */
  | { readonly do: 'crash'; readonly worker: number }
  | { readonly do: 'look' }
  | { readonly do: 'time'; readonly seconds: number }

const worker = fc.nat(2)
const part = { worker, from: fc.nat(4), count: fc.integer({ min: 1, max: 3 }) }

/** What is done at once, and then what once all of that was answered. */
export const phases: fc.Arbitrary<readonly (readonly Act[])[]> = fc.array(
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant('claim'), worker, each: fc.integer({ min: 1, max: 3 }) }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('settle'), ...part, isRefused: fc.boolean() }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('give back'), ...part }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('crash'), worker }) },
      { weight: 1, arbitrary: fc.constant({ do: 'look' } as const) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('time'), seconds: fc.constantFrom(1, 20, 29, 30, 31) }) },
    ),
    { minLength: 1, maxLength: 5 },
  ),
  { minLength: 2, maxLength: 8 },
)

/** Most transactions are kept. */
export const lucks: fc.Arbitrary<readonly Luck[]> = fc.array(fc.constantFrom('kept', 'kept', 'kept', 'kept', 'refused', 'unheard'), {
  maxLength: 12,
})

const newId = idsFrom(1_000_000)

interface Run {
  readonly storage: Storage
  readonly s: fc.Scheduler
  readonly phases: readonly (readonly Act[])[]
  readonly lucks: readonly Luck[]
  /** How many deliveries there are. */
  readonly count: number
}

/**
 * Has three workers do what is asked of them, in an order that the scheduler makes; then one of them goes on alone.
 * @throws Error that says what happened which must not
 */
export async function holdAndSettle({ storage, s, phases, lucks, count }: Run): Promise<void> {
  const clock = clockAt(NOON)
  const workspace = newId()
  const ports = { storage, now: clock.now, newId, secrets }
  await filled(ports, workspace, count)
  const drawn = lucks.values()
  const shared = { ...ports, storage: scheduledStorage(storage, s, () => drawn.next().value ?? 'kept') }
  const history: LeaseHistory = { given: [], settled: [], givenBack: [], looks: [] }
  const workers = [0, 1, 2].map(() => ({ life: 0, hand: [] as Given[] }))
  const next = inOrder()

  async function claim(over: typeof ports, each: number): Promise<Given[]> {
    const called = next()
    let at = clock.now()
    const now = () => {
      at = clock.now()
      return at
    }
    const share = (lane: { readonly workspace_id: string; readonly waiting: number }) =>
      lane.workspace_id === workspace ? lane.waiting : 0
    const none = { keys: () => '', unopened: new Set<string>() }
    const sendings = await claimDeliveries({ ...over, now, ...none }, POLICY, { each, share })
    const given = sendings.map((sending) => ({ sending, at, called, answered: next() }))
    history.given.push(...given)
    return given
  }

  async function settle(over: typeof ports, of: readonly Given[], isRefused: boolean): Promise<void> {
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
    const sent = noted.map(({ sending, name: response, at: created_at }) => ({
      sending,
      attempt: { created_at, duration_ms: 0, status: isRefused ? 500 : 200, error: null, response },
    }))
    // Tried again until it is heard that it was noted, as a sender does.
    for (let tries = 0; ; tries += 1) {
      try {
        await settleDeliveries(over, POLICY, sent)
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

  async function perform(act: Act): Promise<void> {
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
        await giveBackDeliveries(shared, of.map(sendingOf)).catch(() => undefined)
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
  mustHoldAlone(history, await look(ports))
}

function inOrder(): () => number {
  let last = 0
  return () => {
    last += 1
    return last
  }
}

function sendingOf({ sending }: Given): Sending {
  return sending
}

async function filled(ports: Pick<Ports, 'storage' | 'now' | 'newId'>, workspace: string, count: number): Promise<void> {
  const webhooks = [await addWebhook(ports, workspace), await addWebhook(ports, workspace)]
  for (let nth = 0; nth < count; nth += 1) {
    const telling = { snapshot: { nth }, to: [{ webhook_id: webhooks[nth % 2]!.id, event: 'task.created' as const }] }
    const { snapshot, deliveries } = outgoing(telling, { at: ports.now(), newId })
    await ports.storage.transact(async (tx) => {
      const stores = tx.workspace(workspace)
      await stores.snapshots.insert(snapshot)
      await stores.deliveries.insertMany(deliveries)
    })
  }
}
