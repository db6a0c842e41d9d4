import type { DeliveryRequest } from '../src/features/webhooks/delivery-types.ts'
import { addSeconds, type Instant } from '../src/kernel/instant.ts'
import type { Delivery } from '../src/schema/delivery.ts'

export const POLICY = { retries: 3, retrySeconds: 20, leaseSeconds: 30 }

/** Sequence numbers of the call and its response: they order all calls of a run. */
interface CallInterval {
  readonly calledAt: number
  readonly answeredAt: number
}

/** A delivery returned by a claim, with the clock time of the claim. */
export interface ClaimedRequest extends CallInterval {
  readonly request: DeliveryRequest
  readonly at: Instant
}

interface SavedOutcome {
  readonly request: DeliveryRequest
  readonly calledAt: number
  answeredAt: number
  readonly hasFailed: boolean
  /** Identifies the outcome: stored as the attempt's response. */
  readonly name: string
  readonly at: Instant
}

export interface LeaseHistory {
  readonly claims: ClaimedRequest[]
  readonly outcomes: SavedOutcome[]
  readonly releases: { readonly request: DeliveryRequest; readonly calledAt: number }[]
  readonly reads: (CallInterval & { readonly rows: readonly Delivery[] })[]
}

/** @throws Error with the violated rule and the delivery */
export function assertExclusiveLeases(history: LeaseHistory, rows: readonly Delivery[]): void {
  for (const row of rows) {
    const ofDelivery = <E extends { readonly request: DeliveryRequest }>(all: readonly E[]) =>
      all.filter(({ request }) => request.id === row.id)
    const [claims, outcomes, releases] = [
      ofDelivery(history.claims),
      ofDelivery(history.outcomes),
      ofDelivery(history.releases),
    ]
    const snapshots = history.reads.map((read) => ({
      ...read,
      row: read.rows.find(({ id }) => id === row.id)!,
    }))
    const assert = (isTrue: boolean, rule: string) => {
      if (!isTrue)
        throw new Error(
          `${rule}\n${JSON.stringify({ row, claims, outcomes, releases, snapshots: snapshots.map(({ row }) => row) }, undefined, 1)}`,
        )
    }
    const outcomesOf = ({ attempts }: Delivery) =>
      attempts.map(({ response }) => outcomes.find(({ name }) => name === response)!)
    const saved = outcomesOf(row)
    const leases = claims.map(({ request }) => request.lease)

    assert(row.status !== 'pending', 'Every delivery ends once a worker continues.')
    assert(new Set(leases).size === leases.length, 'A lease is granted once.')
    assert(
      row.attempts_count === saved.length && new Set(saved).size === saved.length,
      'Each outcome is saved once and counted once.',
    )
    assert(
      saved.every(({ request }, nth) => nth === 0 || request.lease > saved[nth - 1]!.request.lease),
      'At most one outcome is saved per lease.',
    )
    const isLast = (nth: number) => !saved[nth]!.hasFailed || nth === POLICY.retries
    assert(
      saved.length > 0 && saved.every((_, nth) => isLast(nth) === (nth === saved.length - 1)),
      'Nothing follows the last attempt.',
    )
    assert(
      row.status === (saved.at(-1)!.hasFailed ? 'dropped' : 'delivered'),
      'The status matches the last attempt.',
    )

    for (const { request, at } of claims) {
      const { lease } = request
      const nextClaim = claims.find((each) => each.request.lease === lease + 1)
      const outcome = saved.find((each) => each.request.lease === lease)
      if (nextClaim && outcome)
        assert(
          nextClaim.at >= addSeconds(outcome.at, POLICY.retrySeconds),
          'A failed delivery is retried after its delay.',
        )
      const wasReleased = releases.some(
        (each) => each.request.lease === lease && each.calledAt < (nextClaim?.answeredAt ?? Infinity),
      )
      if (nextClaim && !outcome && !wasReleased)
        assert(
          nextClaim.at >= addSeconds(at, POLICY.leaseSeconds),
          'A delivery is not claimed before its lease expires.',
        )
      const isInTime = outcomes.some(
        (each) => each.request.lease === lease && each.answeredAt < (nextClaim?.calledAt ?? Infinity),
      )
      const isCurrent = nextClaim !== undefined || row.lease === lease
      if (isInTime && isCurrent && !releases.some((each) => each.request.lease === lease))
        assert(outcome !== undefined, 'An outcome in time is saved.')
    }
    for (const { request, calledAt } of saved) {
      assert(
        !claims.some((each) => each.request.lease > request.lease && each.answeredAt < calledAt),
        'A late outcome changes nothing.',
      )
    }
    for (const before of snapshots) {
      for (const after of snapshots.filter(({ calledAt }) => calledAt > before.answeredAt)) {
        assert(
          after.row.attempts_count >= before.row.attempts_count && after.row.lease >= before.row.lease,
          'Counts never decrease.',
        )
        assert(
          JSON.stringify(after.row.attempts.slice(0, before.row.attempts.length)) ===
            JSON.stringify(before.row.attempts),
          'A saved attempt never changes.',
        )
        assert(
          before.row.status === 'pending' || after.row.status === before.row.status,
          'A final status never changes.',
        )
      }
    }
  }
}
