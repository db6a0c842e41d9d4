import * as v from 'valibot'
import { email, oneOf } from '../kernel/field-schemas.ts'
import { removeInvisible } from '../kernel/fold-text.ts'
import { listOf, object } from '../kernel/object-schemas.ts'
import { MAX_PHONE_LENGTH, MIN_PHONE_LENGTH, PHONE_PATTERN, removeTypography } from '../kernel/phone-text.ts'
import { responseSchema, textResponse } from '../kernel/response-schemas.ts'
import { jsonSchema, singleLineText, string } from '../kernel/text-schemas.ts'
import { distinctEntries } from './distinct-entries.ts'
import { value } from './fields.ts'
import { jsonOf } from './value-types.ts'

export const EMAIL_TYPES = ['work', 'home', 'other'] as const
export type EmailType = (typeof EMAIL_TYPES)[number]

export const PHONE_TYPES = ['mobile', 'work', 'home', 'other'] as const
export type PhoneType = (typeof PHONE_TYPES)[number]

/** An e-mail address of a person or company. */
export interface EmailEntry {
  readonly email: string
  readonly type: EmailType
}

/** A phone number of a person or company. */
export interface PhoneEntry {
  /** Digits, spaces and `+-().`, in the form that was sent. */
  readonly phone: string
  readonly type: PhoneType
}

const pastedEmail = v.pipe(
  string,
  jsonSchema({ maxLength: 254, format: 'email' }),
  v.transform(removeInvisible),
  email,
)

/** A phone number as it is stored. */
export const phoneNumber = v.pipe(
  string,
  jsonSchema({ minLength: MIN_PHONE_LENGTH, maxLength: MAX_PHONE_LENGTH, pattern: PHONE_PATTERN.source }),
  v.transform(removeTypography),
  singleLineText(MIN_PHONE_LENGTH, MAX_PHONE_LENGTH),
  v.check((value) => PHONE_PATTERN.test(value), 'Must hold only digits, spaces and + - . ( ).'),
)

const emailEntry = object({ email: pastedEmail, type: v.nullish(oneOf(EMAIL_TYPES), 'work') })

/** E-mail addresses, each once in any case. */
const emailList = v.pipe(
  listOf(emailEntry, 0, 20, 'entries'),
  distinctEntries<v.InferOutput<typeof emailEntry>>('email', ({ email }) => email.toLowerCase()),
)

const phoneEntry = object({ phone: phoneNumber, type: v.nullish(oneOf(PHONE_TYPES), 'mobile') })

/** Phone numbers, each once by its digits. */
const phoneList = v.pipe(
  listOf(phoneEntry, 0, 20, 'entries'),
  distinctEntries<v.InferOutput<typeof phoneEntry>>(
    'phone',
    ({ phone }) => phone.replaceAll(/\D/g, '') || phone,
  ),
)

export const emailResponse = responseSchema<EmailEntry>()({
  email: textResponse,
  type: v.picklist(EMAIL_TYPES),
})
export const phoneResponse = responseSchema<PhoneEntry>()({
  phone: textResponse,
  type: v.picklist(PHONE_TYPES),
})

/** @param example an address in examples */
export function emailsField(example: EmailEntry) {
  return value(jsonOf<readonly EmailEntry[], typeof emailList>(emailList, v.array(emailResponse)), {
    ...{ need: 'resettable', initial: [], level: 'summary', example: [example] },
    description: 'E-mail addresses, in order.',
    inputDescription: {
      create: 'Each address once, whatever its case. The default `type` of an entry is `work`.',
      update: 'Replaces the current entries. The default `type` of an entry is `work`.',
    },
  })
}

/** @param example a number in examples */
export function phonesField(example: PhoneEntry) {
  return value(jsonOf<readonly PhoneEntry[], typeof phoneList>(phoneList, v.array(phoneResponse)), {
    ...{ need: 'resettable', initial: [], level: 'summary', example: [example] },
    description: 'Phone numbers, in order.',
    inputDescription: {
      create: 'Each number once, by its digits. The default `type` of an entry is `mobile`.',
      update: 'Replaces the current entries. The default `type` of an entry is `mobile`.',
    },
  })
}
