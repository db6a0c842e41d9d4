import { companies, deals } from '@sales-crm/core'
import type { Records } from '@sales-crm/core/ports'
import { newId } from '@sales-crm/node'
import { createdAt, middleName, picked, type SampleReferences, some, stamps } from './sample-references.ts'

/** So many of the first deals, tasks and activities are about the first person: a timeline alike at every size. */
const OF_FIRST = 50
const CENTS = 100

export function companyAt(index: number, { common }: SampleReferences): Records['companies'] {
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
    ...stamps(index),
  }
  return { ...company, search_terms: companies.searchTerms!(company) }
}

export function dealAt(index: number, place: SampleReferences): Records['deals'] {
  const { common, rare, stages } = place
  const person = personOf(index, place)
  const deal: Records['deals'] = {
    id: newId(),
    entity_id: `D-${index.toString(32).toUpperCase().padStart(7, '0')}`,
    name: `${middleName(index)} licence ${index}`,
    amount: (index % 9_973) * CENTS,
    currency: index % 2 === 0 ? 'USD' : 'BRL',
    pipeline_id: place.pipeline,
    stage_id: some('rare', index) ? rare.stage : stages[index % stages.length]!,
    source: 'web',
    forecast_date: createdAt(index + 100_000),
    closed_at: null,
    person_id: person,
    company_id: picked(place.companies, index),
    owner_user_id: (some('rare', index) ? rare : common).owner,
    tag_ids: [...(some('common', index) ? [common.tag] : []), ...(some('rare', index) ? [rare.tag] : [])],
    list_ids: [],
    custom_values: {},
    search_terms: '',
    ...stamps(index),
  }
  return { ...deal, search_terms: deals.searchTerms!(deal) }
}

export function taskAt(index: number, place: SampleReferences): Records['tasks'] {
  return {
    id: newId(),
    title: `Call back number ${index}`,
    notes: 'They asked for a quote and for somebody to call them on Monday morning.',
    due_date: createdAt(index + 10_000),
    type_id: null,
    person_id: personOf(index, place),
    company_id: picked(place.companies, index),
    deal_id: picked(place.deals, index),
    owner_user_id: (some('rare', index) ? place.rare : place.common).owner,
    priority: 'medium',
    completed: some('common', index),
    ...stamps(index),
  }
}

export function activityAt(index: number, place: SampleReferences): Records['activities'] {
  return {
    id: newId(),
    person_id: personOf(index, place),
    company_id: null,
    deal_id: null,
    content_html: '<p>They asked for a quote by Monday.</p>',
    attachments_count: 0,
    owner_user_id: place.common.owner,
    created_at: createdAt(index),
    updated_at: null,
  }
}

function personOf(index: number, { people }: SampleReferences): string {
  return index < OF_FIRST ? people[0]! : picked(people, index)
}
