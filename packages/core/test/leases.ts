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
  | { readonly do: 'claim'; readonly worker: number; readonly maxPerQueue: number }
  /** Saves outcomes of deliveries that the worker holds or held: possibly late or repeated. */
  | {
      readonly do: 'save outcomes'
      readonly worker: number
      readonly from: number
      readonly count: number
      readonly hasFailed: boolean
    }
  | { readonly do: 'release'; readonly worker: number; readonly from: number; readonly count: number }
  /** The worker restarts and loses its deliveries and pending responses. */
  | { readonly do: 'crash'; readonly worker: number }
  | { readonly do: 'read' }
  | { readonly do: 'advance clock'; readonly seconds: number }

const worker = fc.nat(2)
const actionFields = { worker, from: fc.nat(4), count: fc.integer({ min: 1, max: 3 }) }

/** Each phase runs its actions concurrently and starts after all of the previous phase completed. */
export const phases: fc.Arbitrary<readonly (readonly Action[])[]> = fc.array(
  fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('claim'),
          worker,
          maxPerQueue: fc.integer({ min: 1, max: 3 }),
        }),
      },
      {
        weight: 4,
        arbitrary: fc.record({ do: fc.constant('save outcomes'), ...actionFields, hasFailed: fc.boolean() }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('release'), ...actionFields }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('crash'), worker }) },
      { weight: 1, arbitrary: fc.constant({ do: 'read' } as const) },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constant('advance clock'),
          seconds: fc.constantFrom(1, 20, 29, 30, 31),
        }),
      },
    ),
    { minLength: 1, maxLength: 5 },
  ),
  { minLength: 2, maxLength: 8 },
)

/** Most transactions commit. */
export const transactionFates: fc.Arbitrary<readonly TransactionFate[]> = fc.array(
  fc.constantFrom('committed', 'committed', 'committed', 'committed', 'rejected', 'unacknowledged'),
  {
    maxLength: 12,
  },
)

const newId = sequentialIds(1_000_000)

interface Run {
  readonly storage: Storage
  readonly s: fc.Scheduler
  readonly phases: readonly (readonly Action[])[]
  readonly fates: readonly TransactionFate[]
  /** The number of deliveries. */
  readonly count: number
}

/**
 * Runs three workers in an order that the scheduler chooses; then one worker continues alone.
 * @throws Error with the violated rule
 */
export async function runLeaseModel({ storage, s, phases, fates, count }: Run): Promise<void> {
  const clock = fakeClock(NOON)
  const workspace = newId()
  const ports = { storage, now: clock.now, newId, secrets }
  await insertDeliveries(ports, workspace, count)
  const remainingFates = fates.values()
  const scheduledPorts = {
    ...ports,
    storage: scheduledStorage(storage, s, () => remainingFates.next().value ?? 'committed'),
  }
  const history: LeaseHistory = { claims: [], outcomes: [], releases: [], reads: [] }
  const workers = [0, 1, 2].map(() => ({ restarts: 0, held: [] as ClaimedRequest[] }))
  const next = createSequence()

  async function claim(claimPorts: typeof ports, maxPerQueue: number): Promise<ClaimedRequest[]> {
    const calledAt = next()
    let at = clock.now()
    const now = () => {
      at = clock.now()
      return at
    }
    const quota = (queue: { readonly workspace_id: string; readonly dueCount: number }) =>
      queue.workspace_id === workspace ? queue.dueCount : 0
    const signing = { getWebhookSecret: () => '', reportedSecrets: new Set<string>() }
    const requests = await claimDeliveries({ ...claimPorts, now, ...signing }, POLICY, {
      maxPerQueue,
      quota,
    })
    const claims = requests.map((request) => ({ request, at, calledAt, answeredAt: next() }))
    history.claims.push(...claims)
    return claims
  }

  async function save(
    savePorts: typeof ports,
    claims: readonly ClaimedRequest[],
    hasFailed: boolean,
  ): Promise<void> {
    const calledAt = next()
    const outcomes = claims.map(({ request }, nth) => ({
      request,
      calledAt,
      hasFailed,
      name: `${calledAt}-${nth}`,
      at: clock.now(),
      answeredAt: Infinity,
    }))
    history.outcomes.push(...outcomes)
    const saved = outcomes.map(({ request, name: response, at: created_at }) => ({
      request,
      attempt: { created_at, duration_ms: 0, status: hasFailed ? 500 : 200, error: null, response },
    }))
    // Retries until the save is acknowledged, as the dispatcher does.
    for (let tries = 0; ; tries += 1) {
      try {
        await saveOutcomes(savePorts, POLICY, saved)
        break
      } catch (error) {
        if (tries === 20) throw error
      }
    }
    for (const each of outcomes) each.answeredAt = next()
  }

  async function readAll(readPorts: Pick<Ports, 'storage'>): Promise<readonly Delivery[]> {
    const calledAt = next()
    const rows = await readPorts.storage.read((tx) => tx.workspace(workspace).deliveries.find([]))
    history.reads.push({ calledAt, answeredAt: next(), rows })
    return rows
  }

  async function perform(action: Action): Promise<void> {
    if (action.do === 'advance clock') return clock.advance(action.seconds)
    if (action.do === 'read') return void (await readAll(scheduledPorts))
    const worker = workers[action.worker]!
    if (action.do === 'crash') {
      worker.restarts += 1
      worker.held = []
    } else if (action.do === 'claim') {
      const { restarts } = worker
      const claims = await claim(scheduledPorts, action.maxPerQueue).catch(() => [])
      if (worker.restarts === restarts) worker.held.push(...claims)
    } else {
      const from = action.from % Math.max(1, worker.held.length)
      const claims = worker.held.slice(from, from + action.count)
      if (action.do === 'save outcomes') await save(scheduledPorts, claims, action.hasFailed)
      else {
        history.releases.push(...claims.map(({ request }) => ({ request, calledAt: next() })))
        await releaseDeliveries(scheduledPorts, claims.map(requestOf)).catch(() => undefined)
      }
    }
  }

  for (const actions of phases) {
    const running = actions.map((action) =>
      s.schedule(Promise.resolve(), action.do).then(() => perform(action)),
    )
    await s.waitFor(Promise.all(running))
  }
  await readAll(ports)
  clock.advance(POLICY.leaseSeconds + POLICY.retrySeconds)
  await save(ports, await claim(ports, 100), false)
  assertExclusiveLeases(history, await readAll(ports))
}

function createSequence(): () => number {
  let last = 0
  return () => {
    last += 1
    return last
  }
}

function requestOf({ request }: ClaimedRequest): DeliveryRequest {
  return request
}

async function insertDeliveries(
  ports: Pick<Ports, 'storage' | 'now' | 'newId'>,
  workspace: string,
  count: number,
): Promise<void> {
  const webhooks = [await insertWebhook(ports, workspace), await insertWebhook(ports, workspace)]
  for (let nth = 0; nth < count; nth += 1) {
    const batch = {
      snapshot: { nth },
      recipients: [{ webhook_id: webhooks[nth % 2]!.id, event: 'task.created' as const }],
    }
    const { snapshot, deliveries } = buildOutboxRows(batch, { at: ports.now(), newId })
    await ports.storage.transact(async (tx) => {
      const stores = tx.workspace(workspace)
      await stores.snapshots.insert(snapshot)
      await stores.deliveries.insertMany(deliveries)
    })
  }
}
