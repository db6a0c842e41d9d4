import { type CreatableKind, type Kind, recordName } from '../records/kinds.ts'
import type { LinkedContacts, PickedRecord } from '../records/record-picker.tsx'

/** What a form begins with, from where it was opened. */
export interface CreateDefaults extends LinkedContacts {
  readonly name?: string
  readonly pipelineId?: string | undefined
  readonly stageId?: string | undefined
  readonly deal?: { readonly id: string; readonly name: string }
}

interface LinkedRecord extends LinkedContacts {
  readonly id: string
  readonly name?: string
  readonly full_name?: string
}

/** The record of a page, row or card and what it is linked with, as the links of what is created for it. */
export function defaultsFor(kind: Kind, record: LinkedRecord): CreateDefaults {
  const { id, person = null, company } = record
  if (kind === 'deals') return { deal: { id, name: recordName(record) }, person, company: company ?? null }
  const contact = { id, full_name: recordName(record) }
  return kind === 'people' ? { person: contact, company } : { person: null, company: contact }
}

/** Names the place that a form is opened from. */
export function placeOf(kind: CreatableKind, defaults: CreateDefaults): string {
  const { pipelineId, stageId, deal, person, company, name } = defaults
  return [kind, pipelineId, stageId, deal?.id, person?.id, company?.id, name].join('.')
}

export function pickedPerson({ person }: CreateDefaults): PickedRecord | null {
  return person ? { kind: 'people', id: person.id, name: person.full_name } : null
}

export function pickedCompany({ company }: CreateDefaults): PickedRecord | null {
  return company ? { kind: 'companies', id: company.id, name: company.full_name } : null
}

/** The record that a new task is about: a deal before a person before a company. The others are linked with it. */
export function pickedSubject(defaults: CreateDefaults): PickedRecord | null {
  const { deal, person, company } = defaults
  if (deal) return { kind: 'deals', id: deal.id, name: deal.name, links: { person, company } }
  const picked = pickedPerson(defaults)
  return picked ? { ...picked, links: { company } } : pickedCompany(defaults)
}
