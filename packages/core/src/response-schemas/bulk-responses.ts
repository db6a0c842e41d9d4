import * as v from 'valibot'
import type { BulkChangeView, BulkReversal } from '../features/bulk-changes/bulk-view.ts'
import type { BulkFailureView } from '../features/bulk-changes/list-failures.ts'
import {
  countResponse as count,
  instantResponse as instant,
  responseSchema,
  textResponse as text,
  uuidResponse as uuid,
} from '../kernel/response-schemas.ts'
import { BULK_STATES } from '../schema/bulk-change.ts'
import { FILTERED_KINDS } from '../schema/saved-view.ts'
import { owner } from './settings-responses.ts'

export const bulkReversal = responseSchema<BulkReversal>()({ done: count, restored: count, failed: count })

export const bulkChange = responseSchema<BulkChangeView>()({
  id: uuid,
  kind: v.picklist(FILTERED_KINDS),
  change: v.record(v.string(), v.unknown()),
  user: v.nullable(owner),
  state: v.picklist(BULK_STATES),
  total: count,
  done: count,
  changed: count,
  failed: count,
  reversal: v.nullable(bulkReversal),
  created_at: instant,
  ended_at: v.nullable(instant),
  expires_at: instant,
})

export const bulkFailure = responseSchema<BulkFailureView>()({
  id: uuid,
  name: v.nullable(text),
  step: v.picklist(['change', 'reversal']),
  code: text,
  message: text,
  fields: v.nullable(v.record(text, text)),
})
