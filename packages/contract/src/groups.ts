import type { Group } from './case.ts'
import { closing } from './closing.ts'
import { conditions } from './conditions.ts'
import { admits } from './gate-admits.ts'
import type { GateContext } from './gate-context.ts'
import { counts } from './gate-counts.ts'
import { holds } from './holds.ts'
import { insertMany } from './insert-many.ts'
import { order } from './order.ts'
import { reads } from './reads.ts'
import { references } from './references.ts'
import { roundTrip } from './round-trip.ts'
import { tenancy } from './tenancy.ts'
import { transactions } from './transactions.ts'
import { uniqueness } from './uniqueness.ts'
import { updates } from './updates.ts'

/** In the order they run. `closing` is last. */
export const STORAGE_GROUPS: readonly Group[] = [
  roundTrip,
  transactions,
  updates,
  tenancy,
  references,
  uniqueness,
  conditions,
  order,
  insertMany,
  reads,
  holds,
  closing,
]

export const GATE_GROUPS: readonly Group<GateContext>[] = [counts, admits]
