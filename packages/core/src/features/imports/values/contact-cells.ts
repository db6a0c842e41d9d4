import * as v from 'valibot'
import { email } from '../../../kernel/field-schemas.ts'
import { removeInvisible } from '../../../kernel/fold-text.ts'
import { phoneNumber } from '../../../schema/contact.ts'
import { type ReplaceText, replaceEntries } from '../remedies/replace-text.ts'
import { toAsciiDigits } from './ascii-digits.ts'

/** The addresses or numbers of a cell, each once. */
export interface ContactReading {
  readonly values: readonly string[]
  /** The parts of the cell that are none. */
  readonly invalid: readonly string[]
}

/** A record has at most twenty of each. Bounds the time of reading. */
const MAX_LENGTH = 6000

/** `Ana <ana@x.example>`; the name can have any sign but these. */
const BRACKETED = /([^<>]*)<\s*([^<>\s]+)\s*>/g

/** Reads e-mail addresses, separated by `;`, `,`, ` ::: `, ` / `, spaces or line breaks, with or without names. */
export function readEmails(cell: string, replace?: ReplaceText): ContactReading {
  if (cell.length > MAX_LENGTH) return { values: [], invalid: [cell] }
  return collect(
    replaceEntries(splitEmails(cell), replace, splitEmails),
    (part) => (v.is(email, part) ? part : undefined),
    (address) => address.toLowerCase(),
  )
}

function splitEmails(cell: string): readonly string[] {
  return removeInvisible(cell)
    .replace(/"[^"]*"\s*(?=<)/g, '')
    .split(/:::|[;\n\r]| \/ /)
    .flatMap(splitAddresses)
    .map((part) => part.replace(/^mailto:/i, '').trim())
}

/** A comma separates addresses, and stands in names too. */
function splitAddresses(part: string): readonly string[] {
  const addresses: string[] = []
  const rest = part.replace(BRACKETED, (_, before: string, address: string) => {
    // The last part is the name of this address.
    const others = before.split(',').slice(0, -1)
    addresses.push(...others.filter((other) => other.includes('@')), address)
    return ''
  })
  return [...addresses, ...rest.split(',').flatMap(splitSpaces)]
}

function splitSpaces(text: string): readonly string[] {
  const words = text.trim().split(/\s+/)
  return words.every((word) => word.includes('@')) ? words : [text]
}

/** Reads phone numbers, separated by `;`, `,`, `/`, `|`, ` ::: `, or line breaks. */
export function readPhones(cell: string, replace?: ReplaceText): ContactReading {
  const parts = replaceEntries(splitPhones(cell), replace, splitPhones)
  return collect(parts, parsePhone, (number) => number.replace(/\D/g, '') || number)
}

function splitPhones(cell: string): readonly string[] {
  return (
    toAsciiDigits(removeInvisible(cell))
      .split(/:::|[;,/|\n\r]/)
      // Spreadsheets take an apostrophe before what is no formula.
      .map((part) => part.trim().replace(/^(?:tel:|')\s*/i, ''))
  )
}

function parsePhone(part: string): string | undefined {
  const result = v.safeParse(phoneNumber, part)
  return result.success && /\d/.test(part) ? result.output : undefined
}

function collect(
  parts: readonly string[],
  parse: (part: string) => string | undefined,
  keyOf: (value: string) => string,
): ContactReading {
  const values = new Map<string, string>()
  const invalid: string[] = []
  for (const part of parts.filter((each) => each !== '')) {
    const value = parse(part)
    if (value === undefined) invalid.push(part)
    else if (!values.has(keyOf(value))) values.set(keyOf(value), value)
  }
  return { values: [...values.values()], invalid }
}
