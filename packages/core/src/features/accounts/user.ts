import * as v from 'valibot'
import { singleLineText } from '../../kernel/text-schemas.ts'

export const userName = singleLineText(1, 80)

/** In UTF-16 code units. Bounds the work of hashing. */
export const MAX_PASSWORD_LENGTH = 200

export const password = v.pipe(
  v.string('Must be a string.'),
  v.check(
    (value) => value.length >= 8 && value.length <= MAX_PASSWORD_LENGTH,
    `Must be between 8 and ${MAX_PASSWORD_LENGTH} characters.`,
  ),
)

/** A credential that is compared with a stored one, and therefore needs no valid format. */
export const nonEmptyText = v.pipe(
  v.string('Must be a string.'),
  v.check((value) => value !== '', 'Required.'),
)
