import type { GenericSchema } from 'valibot'
import { extractTerms } from '../../../engine/search-terms.ts'
import { CrmError } from '../../../kernel/errors.ts'
import { isUuid } from '../../../kernel/field-schemas.ts'
import { foldName } from '../../../kernel/fold-text.ts'
import type { RecordBase } from '../../../kernel/record.ts'
import type { Condition } from '../../../ports/index.ts'
import { domainFacet, nameFacet, whereFacet } from '../../../schema/facets.ts'
import { readDomain } from '../../contacts/read-domain.ts'
import {
  byExternalId,
  MATCH_RULES,
  type MatchableRecord,
  type MatchContext,
  type MatchRule,
} from '../../upsert/match-rules.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import type { MatchName } from '../import-record.ts'
import type { RecordDraft } from '../rows/record-draft.ts'

/** The records that may hold a value, and the test whether they do. */
export interface MatchQuery {
  /** Equal for equal values of one kind. */
  readonly key: string
  readonly where: readonly Condition<MatchableRecord>[]
  isHeldBy(record: MatchableRecord): boolean
}

/** Records that share a facet and hold other values are few. */
const MAX_CANDIDATES = 50

/**
 * Builds the queries of the values by which a draft is looked for, the first of which that finds a record counts. A value
 * that the rules of the API refuse finds nothing: its record is refused when it is written.
 */
export async function buildQueries(
  draft: RecordDraft,
  name: MatchName,
  context: MatchContext,
): Promise<readonly MatchQuery[]> {
  if (name === 'name') return buildNameQuery(draft)
  if (name === 'domain') return buildDomainQuery(draft)
  const rule = findRule(draft.kind, name)
  if (!rule) return []
  const queries: MatchQuery[] = []
  for (const value of listValues(draft, name)) {
    try {
      const { key, where, isHeldBy } = await rule.resolve(value, context)
      queries.push({ key, where: [where], isHeldBy })
    } catch (error) {
      if (!(error instanceof CrmError)) throw error
    }
  }
  return queries
}

/** The record with the id of an exported one. */
export function buildIdQuery({ fields: { id } }: RecordDraft): MatchQuery[] {
  if (typeof id !== 'string' || !isUuid(id)) return []
  return [
    {
      key: `_id_${id}`,
      where: [{ field: 'id', is: id } as Condition<MatchableRecord>],
      isHeldBy: (record) => record.id === id,
    },
  ]
}

/** Finds the oldest record that holds the value. */
export async function findHolder<R extends RecordBase>(
  { where, isHeldBy }: MatchQuery,
  store: {
    list(query: object): Promise<{ readonly rows: readonly RecordBase[] }>
  },
): Promise<R | undefined> {
  const { rows } = await store.list({
    where,
    ...{ page: 1, per_page: MAX_CANDIDATES, order_by: 'created_at', order: 'asc' },
  })
  return rows.find((record) => isHeldBy(record as MatchableRecord)) as R | undefined
}

function findRule(kind: ImportKind, name: MatchName): MatchRule<GenericSchema> | undefined {
  if (name === 'external_id') return byExternalId as MatchRule<GenericSchema>
  const rules: Readonly<Record<string, unknown>> = kind in MATCH_RULES ? MATCH_RULES[kind as 'people'] : {}
  return rules[name.startsWith('custom_fields.') ? 'custom_field' : name] as
    | MatchRule<GenericSchema>
    | undefined
}

function listValues({ fields, customValues }: RecordDraft, name: MatchName): readonly unknown[] {
  const list = (field: string, member: string) =>
    ((fields[field] ?? []) as readonly Readonly<Record<string, unknown>>[]).map((entry) => entry[member])
  if (name === 'external_id') return (fields['external_ids'] ?? []) as readonly unknown[]
  if (name === 'email') return list('emails', 'email')
  if (name === 'phone') return list('phones', 'phone')
  if (name === 'code') return fields['code'] === undefined ? [] : [fields['code']]
  const key = name.slice('custom_fields.'.length)
  return customValues[key] === undefined ? [] : [{ key, value: customValues[key] }]
}

/** A company has a facet of its name. Of the others, every word of the name is a term. */
function buildNameQuery({ kind, fields }: RecordDraft): readonly MatchQuery[] {
  const field = kind === 'deals' ? 'name' : 'full_name'
  const name = String(fields[field] ?? '')
  const folded = foldName(name)
  if (folded === '') return []
  // The longest words are the rarest: two of them leave few records.
  const words = [...new Set(extractTerms(name))].toSorted((a, b) => b.length - a.length).slice(0, 2)
  return [
    {
      key: `_name_${folded}`,
      where: kind === 'companies' ? [whereFacet(nameFacet(name))] : words.map((word) => whereFacet(word)),
      isHeldBy: (record) =>
        foldName(String((record as object as Readonly<Record<string, unknown>>)[field])) === folded,
    },
  ]
}

function buildDomainQuery({ fields: { website } }: RecordDraft): readonly MatchQuery[] {
  const domain = typeof website === 'string' ? readDomain(website) : undefined
  if (domain === undefined) return []
  const facet = domainFacet(domain)
  const isHeldBy = (record: object) => {
    const own = (record as { website?: string | null }).website
    return typeof own === 'string' && readDomain(own) === domain
  }
  return [{ key: facet, where: [whereFacet(facet)], isHeldBy }]
}

/** In this order. */
const DEFAULTS: Readonly<Record<ImportKind, readonly MatchName[]>> = {
  people: ['external_id', 'email', 'phone'],
  companies: ['external_id', 'domain', 'name'],
  deals: ['external_id'],
  products: ['external_id', 'code'],
  tasks: ['external_id'],
  activities: ['external_id'],
}

const FIELDS_OF_MATCH: Readonly<Record<string, readonly string[]>> = {
  ...{ email: ['emails'], phone: ['phones'], name: ['full_name'], domain: ['website'] },
  external_id: ['external_id', 'external_ids'],
}

/** By what a kind is found where nobody has chosen it: the first that finds a record counts. */
export function listDefaultMatches(kind: ImportKind, fields: readonly string[]): readonly MatchName[] {
  return DEFAULTS[kind].filter((name) => {
    const names = FIELDS_OF_MATCH[name] ?? [name]
    return fields.some((field) => names.includes(field.split(':')[0]!))
  })
}

/**
 * By what a kind can be found with these columns. A custom field, such as a document, is for somebody to choose: people
 * share the values of others.
 * @param fields the targets of its columns
 */
export function listMatchNames(kind: ImportKind, fields: readonly string[]): readonly MatchName[] {
  const hasCustomFields = 'custom_field' in (MATCH_RULES[kind as 'people'] ?? {})
  const custom = fields.filter((field) => /^custom_fields\.[^.]+$/.test(field))
  return [...listDefaultMatches(kind, fields), ...(hasCustomFields ? custom : [])]
}
