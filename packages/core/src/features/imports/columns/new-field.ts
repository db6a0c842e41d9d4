import { parseCnpj } from '../../custom-fields/cnpj.ts'
import { parseCpf } from '../../custom-fields/cpf.ts'
import { findAddressParts } from './address-names.ts'
import type { Column } from './column.ts'
import { isConsent } from './column-topics.ts'
import { isAboutContact } from './contact-words.ts'
import { type FieldTypeReading, inferFieldType, inferTextType } from './field-type.ts'
import { CUSTOM_KINDS, type CustomKind, type ImportKind, isCustomKind } from './import-kind.ts'
import { measureShare } from './sample.ts'
import { NEW_FIELD, type NewFieldTarget } from './target.ts'

/** A new custom field for a column. */
export interface NewField {
  readonly target: NewFieldTarget
  /** The part of the values that have the type, from 0 to 1. */
  readonly share: number
}

const MAX_LABEL_LENGTH = 40
const KIND_PREFIX = /^(?:person|pessoa|organi[sz]ation|organização|deal|negócio|lead) - /i
/** Names of codes and numbers with which nobody counts. */
const CODE_NAME = /\b(?:ids?|codigo|code|fax|ramal|ext|extension)\b/

/**
 * Describes a custom field for a column that becomes no other field.
 * @param kinds the kinds of which a row has a record
 * @returns undefined if none of them has custom fields
 */
export function describeNewField(
  column: Column,
  mainKind: ImportKind,
  kinds: ReadonlySet<ImportKind>,
): NewField | undefined {
  const { type, share, options } = inferType(column)
  const kind = chooseKind(column, type, mainKind, kinds)
  if (!kind) return undefined
  const target: NewFieldTarget = {
    ...{ kind, field: NEW_FIELD, type, label: writeLabel(column.header) },
    ...(options && { options }),
  }
  return { target, share }
}

function chooseKind(
  { kind }: Column,
  type: string,
  mainKind: ImportKind,
  kinds: ReadonlySet<ImportKind>,
): CustomKind | undefined {
  const ofDocument: ImportKind | undefined =
    type === 'cnpj' ? 'companies' : type === 'cpf' ? 'people' : undefined
  const choices = [kind, ofDocument, mainKind, ...CUSTOM_KINDS].filter((each) => each !== undefined)
  return choices.filter(isCustomKind).find((each) => kinds.has(each))
}

function inferType({ name, rest, values, sample }: Column): FieldTypeReading {
  const document = findDocument(rest, sample)
  if (document) return document
  const reading = inferFieldType(values)
  // `1` and `0` are choices here.
  if (reading.type === 'number' && isConsent(name)) return inferTextType(values)
  const isCode = isAboutContact(rest) || CODE_NAME.test(rest)
  const isPlainText = findAddressParts(rest).length > 0 || (reading.type === 'number' && isCode)
  return isPlainText ? { type: reading.type === 'long_text' ? 'long_text' : 'text', share: 1 } : reading
}

/** With a name that says so, digits without punctuation are a CPF or CNPJ too. */
function findDocument(name: string, sample: readonly string[]): FieldTypeReading | undefined {
  for (const [type, parse] of [['cpf', parseCpf] as const, ['cnpj', parseCnpj] as const]) {
    if (!` ${name} `.includes(` ${type} `)) continue
    const share = measureShare(sample, (value) => parse(value) !== undefined)
    if (sample.length === 0 || share >= 0.5) return { type, share }
  }
  return undefined
}

function writeLabel(header: string): string {
  const label = header.replace(KIND_PREFIX, '').replace(/\s+/g, ' ').trim()
  return [...label].slice(0, MAX_LABEL_LENGTH).join('').trim()
}
