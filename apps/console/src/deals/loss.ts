import type { LostReasonReference } from '@sales-crm/client'

/** Why a deal was lost. */
export interface Loss {
  readonly lost_reason: LostReasonReference | null
  /** Empty for none. */
  readonly lost_note: string
}

/** What the API gets. */
export function toLossInput({ lost_reason, lost_note }: Loss) {
  return { lost_reason_id: lost_reason?.id ?? null, lost_note: lost_note.trim() === '' ? null : lost_note }
}

/** What the deal shows. */
export function toLossView({ lost_reason, lost_note }: Loss) {
  return { lost_reason, lost_note: lost_note.trim() === '' ? null : lost_note }
}
