import { authorization } from './access-gate-authorization.ts'
import type { AccessGateContext } from './access-gate-context.ts'
import { rateLimits } from './access-gate-rate-limits.ts'
import { aggregates } from './aggregates.ts'
import { backlogGroup } from './backlog.ts'
import type { Group } from './case.ts'
import { claims } from './claims.ts'
import { close } from './close.ts'
import { conditions } from './conditions.ts'
import { deepPages } from './deep-pages.ts'
import { deliveryOutcomes } from './delivery-outcomes.ts'
import { groupLists } from './group-lists.ts'
import { hardDelete } from './hard-delete.ts'
import { insertMany } from './insert-many.ts'
import { keyLocks } from './key-locks.ts'
import { logicalConditions } from './logical-conditions.ts'
import { medianDuration } from './median-duration.ts'
import { notifications } from './notifications.ts'
import { omittedFields } from './omitted-fields.ts'
import { outboxRetention } from './outbox-retention.ts'
import { ownerTotals } from './owner-totals.ts'
import { references } from './references.ts'
import { relatedRecords } from './related-records.ts'
import { relaxedDurability } from './relaxed-durability.ts'
import { repeatedReads } from './repeated-reads.ts'
import { roundTrip } from './round-trip.ts'
import { rowLocks } from './row-locks.ts'
import { savepoints } from './savepoints.ts'
import { scans } from './scans.ts'
import { searchPages } from './search-pages.ts'
import { searchTerms } from './search-terms.ts'
import { snapshotReads } from './snapshot-reads.ts'
import { sortKeys } from './sort-keys.ts'
import { sortOrder } from './sort-order.ts'
import { tenancy } from './tenancy.ts'
import { termCounts } from './term-counts.ts'
import { totals } from './totals.ts'
import { transactions } from './transactions.ts'
import { uniqueness } from './uniqueness.ts'
import { updates } from './updates.ts'
import { workspaceSizes } from './workspace-sizes.ts'

/** In execution order. `close` is last because it leaves the store closed. */
export const STORAGE_GROUPS: readonly Group[] = [
  roundTrip,
  transactions,
  savepoints,
  updates,
  hardDelete,
  tenancy,
  references,
  uniqueness,
  conditions,
  searchTerms,
  searchPages,
  termCounts,
  relatedRecords,
  logicalConditions,
  aggregates,
  groupLists,
  medianDuration,
  sortOrder,
  sortKeys,
  totals,
  ownerTotals,
  workspaceSizes,
  deepPages,
  omittedFields,
  scans,
  insertMany,
  snapshotReads,
  repeatedReads,
  rowLocks,
  keyLocks,
  claims,
  deliveryOutcomes,
  outboxRetention,
  backlogGroup,
  notifications,
  relaxedDurability,
  close,
]

export const ACCESS_GATE_GROUPS: readonly Group<AccessGateContext>[] = [rateLimits, authorization]
