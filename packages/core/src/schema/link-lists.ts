import * as v from 'valibot'
import { flag, uuid } from '../kernel/field-schemas.ts'
import { listOf, object, resettable } from '../kernel/object-schemas.ts'
import type { NamedCondition } from '../kernel/record-queries.ts'
import { flagResponse, responseSchema, textResponse, uuidResponse } from '../kernel/response-schemas.ts'
import { singleLineTextOrNull } from '../kernel/text-schemas.ts'
import { distinctEntries } from './distinct-entries.ts'
import { linkFacet } from './facets.ts'
import { system } from './fields.ts'
import { storedJson, storedText } from './value-types.ts'
import { loaded } from './view-fields.ts'

/** Maximum number of records that one record is linked to under one name. */
export const MAX_LINKS = 20

/** A record that another one is linked to beside the main one, and what it is there: a role, or a position. */
export interface OtherLink {
  readonly id: string
  readonly role: string | null
}

/** The names of a list of links. The main one stays the contract's link. */
export interface LinkList {
  /** The field of the list, as `people` of a deal. */
  readonly name: string
  readonly kind: 'people' | 'companies'
  /** Of an entry, and of the record: the id of the main one. */
  readonly id: 'person_id' | 'company_id'
  /** Of an entry. */
  readonly role: 'role' | 'position'
  /** The column with the role of the main one. */
  readonly mainRole: string
  /** The column with the others. */
  readonly others: string
  /** True if the role of the main one is the record's own field, which stays when another one becomes the main one. */
  readonly isOwnRole: boolean
}

/** The lists, by the kind that has them. */
export const LINK_LISTS = {
  deals: {
    ...{ name: 'people', kind: 'people', id: 'person_id', role: 'role' },
    ...{ mainRole: 'person_role', others: 'other_people', isOwnRole: false },
  },
  people: {
    ...{ name: 'companies', kind: 'companies', id: 'company_id', role: 'position' },
    ...{ mainRole: 'position', others: 'other_companies', isOwnRole: true },
  },
} as const satisfies Readonly<Record<string, LinkList>>

export function linkListOf(kind: string): LinkList | undefined {
  return (LINK_LISTS as Readonly<Record<string, LinkList>>)[kind]
}

/** Matches the records of a kind that are linked to one of the ids by a column, or by the list that belongs to it. */
export function whereLinkedTo(kind: string, column: string, ids: readonly string[]): NamedCondition {
  const main: NamedCondition = { field: column, oneOf: ids }
  if (linkListOf(kind)?.id !== column) return main
  return { anyOf: [main, { field: 'search_terms', hasAnyTerm: ids.map(linkFacet) }] }
}

const MAIN_DESCRIPTION =
  'At most one is `main`. Without one, it stays the one that is, if it is listed, and else is the first.'

/** Sets errors for a record that is named twice, and for a second main one. */
function distinctLinks<Entry extends { main?: boolean | undefined } & Record<string, unknown>>(
  id: keyof Entry & string,
) {
  return [
    distinctEntries<Entry>(id, (entry) => String(entry[id])),
    distinctEntries<Entry>('main', ({ main, [id]: other }) => (main ? 'main' : String(other))),
  ] as const
}

/** A person on a deal. */
export interface DealPerson {
  /** Null for a person whom the reader may not see. */
  readonly person_id: string | null
  readonly full_name: string | null
  readonly role: string | null
  readonly main: boolean
}

export const dealPersonResponse = responseSchema<DealPerson>()({
  person_id: v.nullable(uuidResponse),
  full_name: v.nullable(textResponse),
  role: v.nullable(textResponse),
  main: flagResponse,
})

const dealPerson = object({
  person_id: uuid,
  role: v.optional(v.nullable(singleLineTextOrNull(60))),
  main: v.optional(flag),
})
const dealPeople = v.pipe(
  listOf(dealPerson, 0, MAX_LINKS, 'people'),
  ...distinctLinks<v.InferOutput<typeof dealPerson>>('person_id'),
)

/** The people of a deal with their roles. */
export const dealPeopleFields = {
  people: loaded({
    ...{ level: 'detail', included: true, reads: ['person_id', 'person_role', 'other_people'] },
    response: v.array(dealPersonResponse) as v.GenericSchema<unknown, readonly DealPerson[]>,
    description:
      'The people on the deal with their roles; the main one, which is also `person`, comes first. In lists only if it is included.',
    inputDescription: `The people on the deal with their roles. ${MAIN_DESCRIPTION} Must not be sent together with \`person_id\`.`,
    example: [
      {
        person_id: '01a1fc31-2860-78c5-98aa-1e202d361899',
        full_name: 'Vitória Silveira Barbosa',
        role: 'Decision maker',
        main: true,
      },
    ],
    schemas: { create: v.nullish(dealPeople), update: resettable(dealPeople, []) },
  }),
  person_role: system(storedText, { level: 'hidden', initial: null }),
  other_people: system(storedJson<readonly OtherLink[]>(), { level: 'hidden', initial: [] }),
}

/** A company of a person. */
export interface PersonCompany {
  /** Null for a company that the reader may not see. */
  readonly company_id: string | null
  readonly full_name: string | null
  readonly position: string | null
  readonly main: boolean
}

export const personCompanyResponse = responseSchema<PersonCompany>()({
  company_id: v.nullable(uuidResponse),
  full_name: v.nullable(textResponse),
  position: v.nullable(textResponse),
  main: flagResponse,
})

const personCompany = object({
  company_id: uuid,
  position: v.optional(v.nullable(singleLineTextOrNull(120))),
  main: v.optional(flag),
})
const personCompanies = v.pipe(
  listOf(personCompany, 0, MAX_LINKS, 'companies'),
  ...distinctLinks<v.InferOutput<typeof personCompany>>('company_id'),
)

/** The companies of a person with the positions there. */
export const personCompanyFields = {
  companies: loaded({
    ...{ level: 'detail', included: true, reads: ['company_id', 'position', 'other_companies'] },
    response: v.array(personCompanyResponse) as v.GenericSchema<unknown, readonly PersonCompany[]>,
    description:
      'The companies of the person with the positions there; the main one, which is also `company`, comes first. In lists only if it is included.',
    inputDescription: `The companies of the person with the positions there. ${MAIN_DESCRIPTION} Must not be sent together with \`company_id\` or \`position\`.`,
    example: [
      {
        company_id: '01a1fc31-2843-7d18-8a23-5f0f9b6c1b7e',
        full_name: 'Pampa Móveis',
        position: 'Gerente de Vendas',
        main: true,
      },
    ],
    schemas: { create: v.nullish(personCompanies), update: resettable(personCompanies, []) },
  }),
  other_companies: system(storedJson<readonly OtherLink[]>(), { level: 'hidden', initial: [] }),
}
