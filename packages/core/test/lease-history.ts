import type { DeliveryRequest } from '../src/features/webhooks/delivery-types.ts'
import { addSeconds, type Instant } from '../src/kernel/instant.ts'
import type { Delivery } from '../src/schema/delivery.ts'

export const POLICY = { retries: 3, retrySeconds: 20, leaseSeconds: 30 }

/** The numbers of `called` and `answered` are in the order in which these were. */
interface CallInterval {
  readonly called: number
  readonly answered: number
}

/** A delivery that a claim gave, by the clock that this claim looked at. */
export interface ClaimedRequest extends CallInterval {
  readonly sending: DeliveryRequest
  readonly at: Instant
}

interface SavedOutcome {
  readonly sending: DeliveryRequest
  readonly called: number
  answered: number
  readonly isRefused: boolean
  /** By which the outcome is known again where it is kept. */
  readonly name: string
  readonly at: Instant
}

export interface LeaseHistory {
  readonly given: ClaimedRequest[]
  readonly settled: SavedOutcome[]
  readonly givenBack: { readonly sending: DeliveryRequest; readonly called: number }[]
  readonly looks: (CallInterval & { readonly rows: readonly Delivery[] })[]
}

/** @throws Error that names the rule that was broken, and the delivery that it was broken for */
export function assertExclusiveLeases(history: LeaseHistory, rows: readonly Delivery[]): void {
  for (const row of rows) {
    const of = <E extends { readonly sending: DeliveryRequest }>(all: readonly E[]) =>
      all.filter(({ sending }) => sending.id === row.id)
    const [given, settled, givenBack] = [of(history.given), of(history.settled), of(history.givenBack)]
    const seen = history.looks.map((look) => ({ ...look, row: look.rows.find(({ id }) => id === row.id)! }))
    const assert = (isSo: boolean, rule: string) => {
      if (!isSo)
        throw new Error(
          `${rule}\n${JSON.stringify({ row, given, settled, givenBack, seen: seen.map(({ row }) => row) }, undefined, 1)}`,
        )
    }
    const keptOf = ({ attempts }: Delivery) =>
      attempts.map(({ response }) => settled.find(({ name }) => name === response)!)
    const kept = keptOf(row)
    const leases = given.map(({ sending }) => sending.lease)

    assert(row.status !== 'pending', 'Everything comes to its end once a worker goes on.')
    assert(new Set(leases).size === leases.length, 'One lease is given once.')
    assert(
      row.attempts_count === kept.length && new Set(kept).size === kept.length,
      'Each outcome is kept once, and counted once.',
    )
    assert(
      kept.every(({ sending }, nth) => nth === 0 || sending.lease > kept[nth - 1]!.sending.lease),
      'One outcome is kept of a lease.',
    )
    const isOver = (nth: number) => !kept[nth]!.isRefused || nth === POLICY.retries
    assert(
      kept.length > 0 && kept.every((_, nth) => isOver(nth) === (nth === kept.length - 1)),
      'Nothing follows the last attempt.',
    )
    assert(
      row.status === (kept.at(-1)!.isRefused ? 'dropped' : 'delivered'),
      'It ends as its last attempt did.',
    )

    for (const { sending, at } of given) {
      const { lease } = sending
      const after = given.find((each) => each.sending.lease === lease + 1)
      const outcome = kept.find((each) => each.sending.lease === lease)
      if (after && outcome)
        assert(
          after.at >= addSeconds(outcome.at, POLICY.retrySeconds),
          'It is tried again when its time has come.',
        )
      const wasGivenBack = givenBack.some(
        (each) => each.sending.lease === lease && each.called < (after?.answered ?? Infinity),
      )
      if (after && !outcome && !wasGivenBack)
        assert(
          after.at >= addSeconds(at, POLICY.leaseSeconds),
          'Nobody else holds it before its lease is over.',
        )
      const inTime = settled.some(
        (each) => each.sending.lease === lease && each.answered < (after?.called ?? Infinity),
      )
      const isLast = after !== undefined || row.lease === lease
      if (inTime && isLast && !givenBack.some((each) => each.sending.lease === lease))
        assert(outcome !== undefined, 'An outcome in time is kept.')
    }
    for (const { sending, called } of kept) {
      assert(
        !given.some((each) => each.sending.lease > sending.lease && each.answered < called),
        'What comes late changes nothing.',
      )
    }
    for (const before of seen) {
      for (const since of seen.filter(({ called }) => called > before.answered)) {
        assert(
          since.row.attempts_count >= before.row.attempts_count && since.row.lease >= before.row.lease,
          'Counts never decrease.',
        )
        assert(
          JSON.stringify(since.row.attempts.slice(0, before.row.attempts.length)) ===
            JSON.stringify(before.row.attempts),
          'What was kept stays.',
        )
        assert(
          before.row.status === 'pending' || since.row.status === before.row.status,
          'What is over stays so.',
        )
      }
    }
  }
}
