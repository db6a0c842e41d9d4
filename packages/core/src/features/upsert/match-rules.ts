import * as v from 'valibot'
import type { Input } from '../../engine/patch.ts'
import { phoneDigits } from '../../engine/phone-digits.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { validationError } from '../../kernel/errors.ts'
import { knownEmail } from '../../kernel/field-schemas.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { RecordBase } from '../../kernel/record.ts'
import { jsonSchema, singleLineText } from '../../kernel/text-schemas.ts'
import type { Condition, ParsePhone } from '../../ports/index.ts'
import { phoneNumber } from '../../schema/contact.ts'
import type { CustomValues } from '../../schema/custom-value.ts'
import { type ExternalId, externalId, formatExternalId } from '../../schema/external-ids.ts'
import { customValueFacet, emailFacet, externalIdFacet, phoneFacet, whereFacet } from '../../schema/facets.ts'
import { productCode } from '../../schema/product.ts'
import { parseValue } from '../custom-fields/custom-value.ts'
import { type CustomFieldKind, findFieldByKey } from '../custom-fields/custom-values.ts'

/** The columns by which records are matched. A kind has some of them. */
export type MatchableRecord = RecordBase & {
  readonly search_terms: string
  readonly external_ids: readonly ExternalId[]
  readonly emails?: readonly { readonly email: string }[]
  readonly phones?: readonly { readonly phone: string }[]
  readonly code?: string | null
  readonly custom_values?: CustomValues
}

/** A value by which records are found. */
export interface Match {
  /** Equal for equal values, of one kind of record. */
  readonly key: string
  readonly where: Condition<MatchableRecord>
  /** The facet of a value may be that of another one, such as a text in another case. */
  isHeldBy(record: MatchableRecord): boolean
  /**
   * Adds the value to the input of a new record. Returns undefined for an input that sends the field without it.
   */
  complete(input: Input, isNew: boolean): Input | undefined
}

/** What the rules need besides the value. */
export interface MatchContext {
  readonly transaction: WorkspaceTransaction
  readonly parsePhone: ParsePhone | undefined
}

export interface MatchRule<S extends v.GenericSchema> {
  readonly schema: S
  /** @throws CrmError `validation_error` */
  resolve(value: v.InferOutput<S>, context: MatchContext): Promise<Match>
}

function matchRule<S extends v.GenericSchema>(rule: MatchRule<S>): MatchRule<S> {
  return rule
}

/** For every kind that has external ids. */
export const byExternalId = matchRule({
  schema: externalId,
  async resolve(value) {
    const facet = externalIdFacet(value)
    const isSame = (other: unknown) =>
      v.is(externalId, other) && formatExternalId(v.parse(externalId, other)) === formatExternalId(value)
    return {
      key: facet,
      where: whereFacet(facet),
      isHeldBy: ({ external_ids }) => external_ids.some(isSame),
      complete: completeList('external_ids', value, isSame),
    }
  },
})

const byEmail = matchRule({
  schema: knownEmail,
  async resolve(email) {
    const facet = emailFacet(email)
    const isSame = (entry: unknown) =>
      String(Object(entry).email).trim().toLowerCase() === email.toLowerCase()
    return {
      key: facet,
      where: whereFacet(facet),
      isHeldBy: ({ emails = [] }) => emails.some(isSame),
      complete: completeList('emails', { email }, isSame),
    }
  },
})

const byPhone = matchRule({
  schema: phoneNumber,
  async resolve(phone, { transaction: { shared, workspaceId }, parsePhone }) {
    const workspace = await shared.workspaces.get(workspaceId)
    const toDigits = phoneDigits(parsePhone, workspace?.country ?? null)
    const digits = toDigits(phone)
    const isSame = (entry: unknown) => toDigits(String(Object(entry).phone)) === digits
    return {
      key: phoneFacet(digits),
      where: whereFacet(phoneFacet(digits)),
      isHeldBy: ({ phones = [] }) => phones.some(isSame),
      complete: completeList('phones', { phone }, isSame),
    }
  },
})

const byCode = matchRule({
  schema: v.pipe(
    productCode,
    v.check((code) => code !== null, 'Required.'),
    v.transform((code) => code!),
  ),
  async resolve(code) {
    const isSame = (other: unknown) => v.is(productCode, other) && v.parse(productCode, other) === code
    return {
      key: `_code_${code}`,
      where: { field: 'code', is: code } as Condition<MatchableRecord>,
      isHeldBy: (record) => record.code === code,
      complete(input, isNew) {
        const { code: sent } = input
        if (sent === undefined || (sent === null && isNew)) return isNew ? { ...input, code } : input
        return isSame(sent) ? input : undefined
      },
    }
  },
})

/** The longest text is a link. */
const comparedValue = v.union(
  [
    singleLineText(1, 2048),
    v.pipe(v.number(), jsonSchema({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })),
  ],
  'Must be a string or a number.',
)

/** The types of fields whose values are compared as a whole. */
const COMPARED_TYPES = ['text', 'number', 'cpf', 'cnpj', 'link', 'date']

function byCustomField(kind: CustomFieldKind) {
  return matchRule({
    schema: object({ key: singleLineText(1, 60), value: comparedValue }),
    async resolve({ key, value }, { transaction }) {
      const field = await findFieldByKey(key.toLowerCase(), kind, transaction)
      if (!field) throw validationError({ 'match.custom_field.key': 'Custom field not found.' })
      if (!COMPARED_TYPES.includes(field.type)) {
        const rule = `Must be a field of one of the types: ${COMPARED_TYPES.join(', ')}.`
        throw validationError({ 'match.custom_field.key': rule })
      }
      const result = parseValue(field, value)
      if ('errors' in result || result.value === null) {
        const [rule = 'Required.'] = 'errors' in result ? Object.values(result.errors) : []
        throw validationError({ 'match.custom_field.value': rule })
      }
      const stored = result.value as string | number
      const isField = (entry: unknown) => String(Object(entry).key).toLowerCase() === field.key
      const facet = customValueFacet(field.id, stored)
      return {
        key: facet,
        where: whereFacet(facet),
        isHeldBy: ({ custom_values = {} }) => custom_values[field.id] === stored,
        complete(input, isNew) {
          const { custom_fields: sent } = input
          const entries = Array.isArray(sent) ? sent : []
          const entry = entries.find(isField)
          if (entry !== undefined) {
            const parsed = parseValue(field, Object(entry).value)
            return 'value' in parsed && parsed.value !== stored ? undefined : input
          }
          return isNew && (sent == null || Array.isArray(sent))
            ? { ...input, custom_fields: [...entries, { key: field.key, value }] }
            : input
        },
      }
    },
  })
}

/** An input of another type than a list is left to its validation. */
function completeList(field: string, entry: object, isSame: (entry: unknown) => boolean): Match['complete'] {
  return (input, isNew) => {
    const sent = input[field]
    if (sent === undefined || (sent === null && isNew)) return isNew ? { ...input, [field]: [entry] } : input
    if (sent === null) return undefined
    return Array.isArray(sent) && !sent.some(isSame) ? undefined : input
  }
}

/** The members of `match`, by kind of record. */
export const MATCH_RULES = {
  people: {
    external_id: byExternalId,
    email: byEmail,
    phone: byPhone,
    custom_field: byCustomField('people'),
  },
  companies: {
    ...{ external_id: byExternalId, email: byEmail, phone: byPhone },
    custom_field: byCustomField('companies'),
  },
  deals: { external_id: byExternalId, custom_field: byCustomField('deals') },
  products: { external_id: byExternalId, code: byCode },
} as const

export type UpsertKind = keyof typeof MATCH_RULES

export const UPSERT_KINDS = Object.keys(MATCH_RULES) as readonly UpsertKind[]

export type AnyMatchRules = Readonly<Record<string, MatchRule<v.GenericSchema>>>
