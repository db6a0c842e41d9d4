import * as v from 'valibot'
import { singleLineText } from '../../engine/field-schemas.ts'

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
