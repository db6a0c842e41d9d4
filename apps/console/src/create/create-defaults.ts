import { type Kind, recordName } from '../records/kinds.ts'
import type { PickedRecord } from '../records/record-picker.tsx'

/** What a form begins with, from where it was opened. */
export interface CreateDefaults {
  readonly name?: string
  readonly pipelineId?: string | undefined
  readonly stageId?: string
  readonly deal?: { readonly id: string; readonly name: string }
  readonly person?: { readonly id: string; readonly full_name: string }
  readonly company?: { readonly id: string; readonly full_name: string }
}

/** The record of a page, row or card, as the subject of what is created for it. */
export function defaultsFor(
  kind: Kind,
  record: {
    readonly id: string
    readonly name?: string
    readonly full_name?: string
    readonly company?: CreateDefaults['company'] | null
  },
): CreateDefaults {
  const { id, company } = record
  if (kind === 'deals') return { deal: { id, name: recordName(record) } }
  const contact = { id, full_name: recordName(record) }
  return kind === 'people' ? { person: contact, ...(company && { company }) } : { company: contact }
}

export function pickedContact({ company, person }: CreateDefaults): PickedRecord | null {
  if (company) return { kind: 'companies', id: company.id, name: company.full_name }
  return person ? { kind: 'people', id: person.id, name: person.full_name } : null
}

/** The record that a new task is about: a deal before a person before a company. */
export function pickedSubject(defaults: CreateDefaults): PickedRecord | null {
  const { deal, person } = defaults
  if (deal) return { kind: 'deals', id: deal.id, name: deal.name }
  return person ? { kind: 'people', id: person.id, name: person.full_name } : pickedContact(defaults)
}
