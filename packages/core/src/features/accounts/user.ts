import * as v from 'valibot'
import { singleLineText } from '../../engine/field-schemas.ts'
import type { Instant, RecordBase } from '../../ports/index.ts'

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
  uniqueForever: [],
  foreignKeys: {},
} as const

export const userName = singleLineText(1, 80)

/** Nothing longer is worth the work of a hash. */
export const MAX_PASSWORD_LENGTH = 200

export const password = v.pipe(
  v.string('Must be a string.'),
  v.check(
    (value) => value.length >= 8 && value.length <= MAX_PASSWORD_LENGTH,
    `Must be between 8 and ${MAX_PASSWORD_LENGTH} characters.`,
  ),
)

/** What someone types in to prove who they are. It is compared with what is kept, and need have no form. */
export const enteredText = v.pipe(
  v.string('Must be a string.'),
  v.check((value) => value !== '', 'Required.'),
)
