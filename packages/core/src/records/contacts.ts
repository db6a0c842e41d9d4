import * as v from 'valibot'
import { email, line, listOf, object, oneOf } from './fields.ts'

export type EmailType = 'work' | 'home' | 'other'
export type PhoneType = 'mobile' | 'work' | 'home' | 'other'

export interface EmailEntry {
  readonly email: string
  readonly type: EmailType
}

export interface PhoneEntry {
  readonly phone: string
  readonly type: PhoneType
}

const phone = v.pipe(
  line(3, 30),
  v.check((value) => /^[0-9 +().-]+$/.test(value), 'Must hold only digits, spaces and + - . ( ).'),
)

export const emails = listOf(object({ email, type: v.nullish(oneOf(['work', 'home', 'other']), 'work') }), 0, 20, 'entries')

export const phones = listOf(object({ phone, type: v.nullish(oneOf(['mobile', 'work', 'home', 'other']), 'mobile') }), 0, 20, 'entries')
