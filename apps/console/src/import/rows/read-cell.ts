import type { CustomField } from '@sales-crm/client'
import { removeInvisible } from '@sales-crm/core/browser'
import type { CustomValue } from '../../records/facts/custom-values.ts'
import type { Target } from '../columns/target.ts'
import { foldName } from '../fold-name.ts'
import type { Draft } from './draft.ts'
import { readDate } from './read-date.ts'
import { readNumber } from './read-number.ts'
import type { ReadingContext } from './reading-context.ts'

/** What the browser can know. All other rules are the service's. */
export type CellError = 'notAnEmail' | 'notANumber' | 'notADate' | 'noOption' | 'noMember' | 'noTag'

/** A text that cannot be brought in as it is. */
export interface InvalidText {
  readonly text: string
  readonly error: CellError
}

export interface CellReading {
  readonly draft: Draft
  readonly errors: readonly InvalidText[]
}

const NOTHING: CellReading = { draft: {}, errors: [] }

/**
 * Reads a cell as what its column becomes.
 * @param replace the text in place of each text of the cell; empty leaves it out
 */
export function readCell(
  cell: string,
  column: number,
  target: Target,
  context: ReadingContext,
  replace: (text: string) => string,
): CellReading {
  const separators = listSeparators(target)
  const texts = (separators ? cell.split(separators) : [cell]).map((text) => text.trim())
  const plain = target.kind === 'tags' ? texts.map(removeQuotes) : texts
  const values = plain.map((text) => replace(text).trim()).filter((text) => text !== '')
  if (values.length === 0) return NOTHING
  if (target.kind === 'email') return readEmails(values, target.type)
  if (target.kind === 'phone')
    return accept({ phones: values.map((phone) => ({ phone, type: target.type })) })
  if (target.kind === 'tags') return readTags(values, context)
  return readOne(values[0]!, values, column, target, context)
}

function readOne(
  text: string,
  values: readonly string[],
  column: number,
  target: Exclude<Target, { kind: 'email' | 'phone' }>,
  context: ReadingContext,
): CellReading {
  switch (target.kind) {
    case 'owner':
      return readIds([text], context.memberIds, 'noMember', ([ownerId]) => ({ ownerId: ownerId! }))
    case 'website':
      return accept({ website: withScheme(text) })
    case 'address':
      return accept({ custom: { [target.field.key]: { [target.part]: text } } })
    case 'field':
      return readField(target.field, values, column, context)
    default:
      return accept({ [target.kind]: text })
  }
}

function readField(
  { key, type }: CustomField,
  values: readonly string[],
  column: number,
  context: ReadingContext,
): CellReading {
  const [text = ''] = values
  const acceptValue = (value: CustomValue) => accept({ custom: { [key]: value } })
  const options = context.optionKeys.get(key) ?? new Map()
  switch (type) {
    case 'number': {
      const value = readNumber(text, context.decimal)
      return value === undefined ? refuse(text, 'notANumber') : acceptValue(value)
    }
    case 'date': {
      const day = readDate(text, context.dayOrders[column] ?? 'dayFirst')
      return day === undefined ? refuse(text, 'notADate') : acceptValue(day)
    }
    case 'select':
      return readIds([text], options, 'noOption', ([value]) => ({ custom: { [key]: value! } }))
    case 'multi_select':
      return readIds(values, options, 'noOption', (value) => ({ custom: { [key]: [...value] } }))
    case 'link':
      return acceptValue(withScheme(text))
    default:
      return acceptValue(text)
  }
}

/** What separates the texts of a cell that has a list. Google Contacts writes ` ::: `. */
function listSeparators(target: Target): RegExp | undefined {
  if (target.kind === 'email' || target.kind === 'tags') return /:::|[,;\n]/
  if (target.kind === 'phone') return /:::|[,;/\n]/
  return target.kind === 'field' && target.field.type === 'multi_select' ? /:::|[,;|\n]/ : undefined
}

function readEmails(texts: readonly string[], type: 'work' | 'home' | 'other'): CellReading {
  const isAddress = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)
  return {
    // As the service stores them: addresses are compared with those of the records that are there.
    draft: { emails: texts.filter(isAddress).map((text) => ({ email: removeInvisible(text), type })) },
    errors: texts.filter((text) => !isAddress(text)).map((text) => ({ text, error: 'notAnEmail' })),
  }
}

/** Mailchimp quotes each tag of a cell. */
function removeQuotes(text: string): string {
  return text.replace(/^"(.*)"$/, '$1')
}

/** Google Contacts marks groups of its own, such as `* myContacts`. They are no tags. */
function readTags(texts: readonly string[], { tagIds }: ReadingContext): CellReading {
  const named = texts.filter((text) => !text.startsWith('* ') || tagIds.has(foldName(text)))
  return named.length === 0 ? NOTHING : readIds(named, tagIds, 'noTag', (ids) => ({ tagIds: ids }))
}

function readIds(
  texts: readonly string[],
  ids: ReadonlyMap<string, string>,
  error: CellError,
  build: (ids: readonly string[]) => Draft,
): CellReading {
  const unknown = texts.filter((text) => !ids.has(foldName(text)))
  if (unknown.length > 0) return { draft: {}, errors: unknown.map((text) => ({ text, error })) }
  return accept(build([...new Set(texts.map((text) => ids.get(foldName(text))!))]))
}

function accept(draft: Draft): CellReading {
  return { draft, errors: [] }
}

function refuse(text: string, error: CellError): CellReading {
  return { draft: {}, errors: [{ text, error }] }
}

/** People write addresses of pages without their scheme. */
function withScheme(text: string): string {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+([/?#].*)?$/i.test(text) ? `https://${text}` : text
}
