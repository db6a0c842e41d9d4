import { attempts } from './attempts.ts'
import { backlogs } from './backlogs.ts'
import type { Group } from './case.ts'
import { claims } from './claims.ts'
import { closing } from './closing.ts'
import { conditions } from './conditions.ts'
import { erasing } from './erasing.ts'
import { farPages } from './far-pages.ts'
import { forgetting } from './forgetting.ts'
import { admits } from './gate-admits.ts'
import type { GateContext } from './gate-context.ts'
import { counts } from './gate-counts.ts'
import { holds } from './holds.ts'
import { insertMany } from './insert-many.ts'
import { noting } from './noting.ts'
import { order } from './order.ts'
import { reads } from './reads.ts'
import { references } from './references.ts'
import { related } from './related.ts'
import { rereads } from './rereads.ts'
import { roundTrip } from './round-trip.ts'
import { spans } from './spans.ts'
import { summaries } from './summaries.ts'
import { tallies } from './tallies.ts'
import { tenancy } from './tenancy.ts'
import { totals } from './totals.ts'
import { transactions } from './transactions.ts'
import { uniqueness } from './uniqueness.ts'
import { unread } from './unread.ts'
import { unsynced } from './unsynced.ts'
import { updates } from './updates.ts'
import { wakes } from './wakes.ts'
import { wordPages } from './word-pages.ts'
import { words } from './words.ts'

/** In the order they run. `closing` is last. */
export const STORAGE_GROUPS: readonly Group[] = [
  roundTrip,
  transactions,
  attempts,
  updates,
  erasing,
  tenancy,
  references,
  uniqueness,
  conditions,
  words,
  wordPages,
  tallies,
  related,
  summaries,
  spans,
  order,
  totals,
  farPages,
  unread,
  insertMany,
  reads,
  rereads,
  holds,
  claims,
  noting,
  forgetting,
  backlogs,
  wakes,
  unsynced,
  closing,
]

export const GATE_GROUPS: readonly Group<GateContext>[] = [counts, admits]
