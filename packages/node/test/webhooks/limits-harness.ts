import { ConcurrencyLimits } from '../../src/webhooks/concurrency-limits.ts'
import { ANSWERED } from './controlled-sender.ts'

export const DEFAULT_LIMITS = { maxConcurrent: 512, maxPerWorkspace: 128, maxPerHost: 32 }
export const MANY_WAITING = 1000

export interface TargetOptions {
  readonly workspace_id?: string
  readonly webhook_id?: string
  readonly host?: string
}

/** Defaults to workspace `w` and webhook `h`, on a host named after the webhook. */
export function buildTarget({
  workspace_id = 'w',
  webhook_id = 'h',
  host = `${webhook_id}.example`,
}: TargetOptions = {}) {
  return { workspace_id, webhook_id, host }
}

export function limitsWith(options: Partial<typeof DEFAULT_LIMITS> = {}) {
  const limits = new ConcurrencyLimits({ ...DEFAULT_LIMITS, ...options })
  const openCapacity = () => limits.openCapacity()
  const inFlight: ReturnType<typeof buildTarget>[] = []

  function startSends(claimed: typeof inFlight): boolean {
    inFlight.push(...claimed)
    return limits.startSends(claimed)
  }

  /** Opens a claim and returns the quota of each queue. `startSends` ends the claim. */
  function readQuotas(...queues: readonly (TargetOptions & { readonly waiting?: number })[]): number[] {
    const { maxPerQueue, quota } = openCapacity()!
    return queues.map(({ waiting = MANY_WAITING, ...target }) =>
      quota({ ...buildTarget(target), dueCount: Math.min(maxPerQueue, waiting) }),
    )
  }

  /** Claims the quota of each queue and starts its sends. */
  function claimAll(...queues: readonly TargetOptions[]): number[] {
    const counts = readQuotas(...queues)
    startSends(
      queues.flatMap((target, index) => Array.from({ length: counts[index]! }, () => buildTarget(target))),
    )
    return counts
  }

  function finishSend(target: TargetOptions = {}, result = ANSWERED): boolean {
    const key = JSON.stringify(buildTarget(target))
    const index = inFlight.findIndex((other) => JSON.stringify(other) === key)
    if (index < 0) throw new Error(`Not in flight: ${key}`)
    const [first] = inFlight.splice(index, 1)
    return limits.finishSend(first!, result)
  }

  /** Records an earlier result for each webhook, without leaving sends in flight. */
  function rememberResult(result: typeof ANSWERED, ...queues: readonly TargetOptions[]): void {
    for (const target of queues) {
      readQuotas(target)
      startSends([buildTarget(target)])
      finishSend(target, result)
    }
  }

  return { openCapacity, startSends, readQuotas, claimAll, finishSend, rememberResult }
}
