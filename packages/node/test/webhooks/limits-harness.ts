import { createConcurrencyLimits } from '../../src/webhooks/concurrency-limits.ts'
import { ANSWERED } from './fake-queue.ts'

export const DEFAULT_LIMITS = { maxConcurrent: 512, maxPerWorkspace: 128, maxPerHost: 32 }
export const MANY_WAITING = 1000

export interface TargetOptions {
  readonly workspace_id?: string
  readonly webhook_id?: string
  readonly host?: string
}

/** Of workspace `w` and webhook `h`, on a host of the webhook's own. */
export function buildTarget({
  workspace_id = 'w',
  webhook_id = 'h',
  host = `${webhook_id}.example`,
}: TargetOptions = {}) {
  return { workspace_id, webhook_id, host }
}

export function limitsWith(limits: Partial<typeof DEFAULT_LIMITS> = {}) {
  const { openCapacity, finishSend, ...rest } = createConcurrencyLimits({ ...DEFAULT_LIMITS, ...limits })
  const inFlight: ReturnType<typeof buildTarget>[] = []

  function startSends(claimed: typeof inFlight): boolean {
    inFlight.push(...claimed)
    return rest.startSends(claimed)
  }

  /** How many of each lane one claim may take, of which nothing has begun yet. */
  function offer(...queues: readonly (TargetOptions & { readonly waiting?: number })[]): number[] {
    const { maxPerQueue: each, quota: share } = openCapacity()!
    return queues.map(({ waiting = MANY_WAITING, ...to }) =>
      share({ ...buildTarget(to), dueCount: Math.min(each, waiting) }),
    )
  }

  /** Claims all it may, and begins that. */
  function claimAll(...queues: readonly TargetOptions[]): number[] {
    const counts = offer(...queues)
    startSends(queues.flatMap((to, nth) => Array.from({ length: counts[nth]! }, () => buildTarget(to))))
    return counts
  }

  function finishOne(to: TargetOptions = {}, outcome = ANSWERED): boolean {
    const name = JSON.stringify(buildTarget(to))
    const at = inFlight.findIndex((each) => JSON.stringify(each) === name)
    if (at < 0) throw new Error(`Not under way: ${name}`)
    const [first] = inFlight.splice(at, 1)
    return finishSend(first!, outcome)
  }

  /** Had these answered before, and leaves nothing under way. */
  function rememberAs(outcome: typeof ANSWERED, ...queues: readonly TargetOptions[]): void {
    for (const to of queues) {
      offer(to)
      startSends([buildTarget(to)])
      finishOne(to, outcome)
    }
  }

  return {
    room: openCapacity,
    begin: startSends,
    end: finishSend,
    asked: offer,
    begun: claimAll,
    ended: finishOne,
    known: rememberAs,
  }
}
