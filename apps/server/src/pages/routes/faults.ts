import { CrmError, type Meter } from '@sales-crm/core'
import type { Reply } from '../../answer.ts'
import type { Problem } from '../page.ts'
import type { Texts } from '../texts/texts.ts'

interface Fault {
  readonly status: Reply['status']
  readonly problem: Problem
  readonly headers: Record<string, string>
  readonly meter?: Meter | undefined
}

/** What is said of a limit, with the minutes to wait. */
export type TooMany = (minutes: number) => string

/** What a form is shown again with. @throws whatever is not about the form, as it came */
export function faultOf(error: unknown, texts: Texts, tooMany: TooMany): Fault {
  if (!(error instanceof CrmError)) throw error
  if (error.code === 'validation_error') return { status: 422, problem: faultyFields(Object.keys(error.fields ?? {}), texts), headers: {} }
  if (error.code !== 'rate_limit_exceeded') throw error
  const wait = error.meter?.wait ?? 60
  const summary = tooMany(Math.ceil(wait / 60))
  return { status: 429, problem: { summary }, headers: { 'Retry-After': String(wait) }, meter: error.meter }
}

/** The core says what is wrong in English; a page has a sentence of its own for each field. */
function faultyFields(names: readonly string[], { faults, notices }: Texts): Problem {
  const sentences: Readonly<Record<string, string>> = faults
  const told = names.filter((name) => Object.hasOwn(sentences, name)).map((name) => [name, sentences[name]!] as const)
  return { summary: notices.checkFields, fields: Object.fromEntries(told) }
}
