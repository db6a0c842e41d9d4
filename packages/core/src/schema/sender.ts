import * as v from 'valibot'
import { email } from '../kernel/field-schemas.ts'
import { changeable, clearable, object } from '../kernel/object-schemas.ts'
import {
  jsonSchema,
  multiLineTextOrNull,
  singleLineText,
  singleLineTextOrNull,
  string,
} from '../kernel/text-schemas.ts'
import { MAX_LOGO_BYTES } from './file-limits.ts'

/** Who makes the offers of a workspace, as offers name it. */
export interface SenderAddress {
  readonly legal_name: string
  /** Such as a CNPJ or a VAT number, in the form that was sent. */
  readonly tax_id: string | null
  /** In lines. */
  readonly address: string | null
  readonly email: string | null
}

/** The sender of a workspace as it is stored. */
export interface Sender extends SenderAddress {
  /** The key of the file with the logo; null without one. */
  readonly logo_key: string | null
}

/** Base64 of `MAX_LOGO_BYTES` in lines, with the head of a data URI. */
const MAX_LOGO_LENGTH = 142_000

const logo = v.pipe(
  string,
  v.check(({ length }) => length <= MAX_LOGO_LENGTH, `Must be at most ${MAX_LOGO_BYTES} bytes in Base64.`),
  jsonSchema({ maxLength: MAX_LOGO_LENGTH }),
)

/** Changes of the sender. Fields that are left out stay; the first ones need `legal_name`. */
export const senderChanges = object({
  ...changeable({ legal_name: singleLineText(1, 120) }),
  ...clearable({
    tax_id: singleLineTextOrNull(40),
    address: multiLineTextOrNull(400),
    email,
    logo,
  }),
})
