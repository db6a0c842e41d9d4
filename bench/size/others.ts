import { companies, deals } from '@sales-crm/core'
import type { Records } from '@sales-crm/core/ports'
import { newId } from '@sales-crm/node'
import {
  createdAt,
  hasShare,
  middleName,
  pickAt,
  type SampleReferences,
  timestampsAt,
} from './sample-references.ts'

/**
 * The first 50 deals, tasks and activities refer to the first person, whose timeline is so the same at every
 * size.
 */
const OF_FIRST_PERSON = 50
const CENTS = 100

export function createCompany(index: number, { common }: SampleReferences): Records['companies'] {
  const name = `${middleName(index * 12)} ${middleName(index)} ${index}`
  const company: Records['companies'] = {
    id: newId(),
    entity_id: `C-${index.toString(32).toUpperCase().padStart(7, '0')}`,
    full_name: name,
    emails: [{ email: `office@company-${index}.example`, type: 'work' }],
    phones: [],
    website: `https://company-${index}.example`,
    avatar_url: null,
    owner_user_id: common.owner,
    tag_ids: [],
    list_ids: [],
    custom_values: {},
    search_terms: '',
    ...timestampsAt(index),
  }
  return { ...company, search_terms: companies.searchTerms!(company) }
}

export function createDeal(index: number, references: SampleReferences): Records['deals'] {
  const { common, rare, stages } = references
  const person = personIdAt(index, references)
  const deal: Records['deals'] = {
    id: newId(),
    entity_id: `D-${index.toString(32).toUpperCase().padStart(7, '0')}`,
    name: `${middleName(index)} licence ${index}`,
    amount: (index % 9_973) * CENTS,
    currency: index % 2 === 0 ? 'USD' : 'BRL',
    pipeline_id: references.pipeline,
    stage_id: hasShare('rare', index) ? rare.stage : stages[index % stages.length]!,
    source: 'web',
    forecast_date: createdAt(index + 100_000),
    closed_at: null,
    person_id: person,
    company_id: pickAt(references.companies, index),
    owner_user_id: (hasShare('rare', index) ? rare : common).owner,
    tag_ids: [
      ...(hasShare('common', index) ? [common.tag] : []),
      ...(hasShare('rare', index) ? [rare.tag] : []),
    ],
    list_ids: [],
    custom_values: {},
    search_terms: '',
    ...timestampsAt(index),
  }
  return { ...deal, search_terms: deals.searchTerms!(deal) }
}

export function createTask(index: number, references: SampleReferences): Records['tasks'] {
  return {
    id: newId(),
    title: `Call back number ${index}`,
    notes: 'They asked for a quote and for somebody to call them on Monday morning.',
    due_date: createdAt(index + 10_000),
    type_id: null,
    person_id: personIdAt(index, references),
    company_id: pickAt(references.companies, index),
    deal_id: pickAt(references.deals, index),
    owner_user_id: (hasShare('rare', index) ? references.rare : references.common).owner,
    priority: 'medium',
    completed: hasShare('common', index),
    ...timestampsAt(index),
  }
}

export function createActivity(index: number, references: SampleReferences): Records['activities'] {
  return {
    id: newId(),
    person_id: personIdAt(index, references),
    company_id: null,
    deal_id: null,
    content_html: '<p>They asked for a quote by Monday.</p>',
    attachments_count: 0,
    owner_user_id: references.common.owner,
    created_at: createdAt(index),
    updated_at: null,
  }
}

function personIdAt(index: number, { people }: SampleReferences): string {
  return index < OF_FIRST_PERSON ? people[0]! : pickAt(people, index)
}
