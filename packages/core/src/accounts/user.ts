import * as v from 'valibot'
import type { Instant, RecordBase } from '../ports.ts'
import { line } from '../records/fields.ts'

/** One account, whatever number of workspaces it belongs to. */
export interface User extends RecordBase {
  readonly updated_at: Instant
  /** Lower case. */
  readonly email: string
  readonly name: string
  /** Null until the user sets one. */
  readonly password_hash: string | null
  /** Every workspace the user is or was a member of. Whether it still is, the member says. */
  readonly workspace_ids: readonly string[]
}

export const userShape = {
  columns: { email: 'text', name: 'text', password_hash: 'text?', workspace_ids: 'json' },
  unique: ['email'],
  neverReused: [],
  refersTo: {},
} as const

export const userName = line(1, 80)

/** Nothing longer is worth the work of a hash. */
export const LONGEST_PASSWORD = 200

export const password = v.pipe(
  v.string('Must be a string.'),
  v.check((value) => value.length >= 8 && value.length <= LONGEST_PASSWORD, `Must be between 8 and ${LONGEST_PASSWORD} characters.`),
)

/** What someone types in to prove who they are. It is compared with what is kept, and need have no form. */
export const typed = v.pipe(
  v.string('Must be a string.'),
  v.check((value) => value !== '', 'Required.'),
)
