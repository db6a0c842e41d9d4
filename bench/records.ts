import { RESOURCES } from '@sales-crm/core/declarations'
import type { Records } from '@sales-crm/core/ports'

const { companies, deals, people, tasks } = RESOURCES

/** The numbers of the records of one kind. `idOf` converts a number to an id. */
export interface Range {
  readonly first: number
  readonly count: number
}

/** What the created records refer to. */
export interface References {
  readonly companies: Range
  readonly people: Range
  readonly deals: Range
  readonly ownerIds: readonly string[]
  readonly taskTypeId: string
  readonly pipelineId: string
  /** The open stages of the pipeline. */
  readonly stageIds: readonly string[]
}

/** Ids are sequential, so that pgbench and other processes can derive them from a number. */
export const ID_PREFIX = '00000000-0000-7000-8000-'
/** A prime, so that adjacent records do not refer to adjacent ones. */
const STEP = 7_919
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]
const START = Date.UTC(2024, 0, 1)
const TODAY = new Date().setUTCHours(0, 0, 0, 0)
const SYLLABLES = 'ba ce di fo gu la me ni ro su ta ve'.split(' ')
const FIRST_NAMES =
  'Ana João José Maria Márcia Paulo Lucas Júlia Pedro Luís Carla Sofia Emma Olivia Noah Liam'.split(' ')
const LAST_NAMES =
  'Souza Lima Silva Santos Pereira Costa Araújo Gonçalves Smith Jones Müller Novák Rossi Dubois Garcia Kowalski'.split(
    ' ',
  )

export function idOf(number: number): string {
  return ID_PREFIX + String(number).padStart(12, '0')
}

/** Returns the id of a record, the same for the same index. */
export function pickId({ first, count }: Range, index: number): string {
  return idOf(first + ((index * STEP) % count))
}

export function createCompany(id: string, index: number, { ownerIds }: References): Records['companies'] {
  const company: Records['companies'] = {
    ...companies.defaults,
    id,
    entity_id: createCode('C', index),
    full_name: `${middleName(index * 12)} ${middleName(index)} ${index}`,
    emails: [{ email: `office@company-${index}.example`, type: 'work' }],
    website: `https://company-${index}.example`,
    owner_user_id: pick(ownerIds, index),
    ...timestampsAt(index),
  }
  return { ...company, search_terms: companies.searchTerms!(company) }
}

export function createPerson(id: string, index: number, references: References): Records['people'] {
  const lastName = pick(LAST_NAMES, Math.floor(index / FIRST_NAMES.length))
  const person: Records['people'] = {
    ...people.defaults,
    id,
    entity_id: createCode('P', index),
    full_name: `${pick(FIRST_NAMES, index)} ${middleName(index)} ${lastName}`,
    emails: [{ email: `person-${index}@people.example`, type: 'work' }],
    phones: [{ phone: `+55 11 9${String(index).padStart(8, '0')}`, type: 'mobile' }],
    position: 'Buyer',
    score: index % 101,
    company_id: pickId(references.companies, index),
    owner_user_id: pick(references.ownerIds, index),
    ...timestampsAt(index),
  }
  return { ...person, search_terms: people.searchTerms!(person) }
}

export function createDeal(id: string, index: number, references: References): Records['deals'] {
  const deal: Records['deals'] = {
    ...deals.defaults,
    id,
    entity_id: createCode('D', index),
    name: `${middleName(index)} licences ${index}`,
    amount: 12_345 * (index % 97),
    currency: index % 3 === 0 ? 'USD' : 'BRL',
    pipeline_id: references.pipelineId,
    stage_id: pick(references.stageIds, index),
    source: 'web',
    forecast_date: timeAt(index + 100_000),
    person_id: pickId(references.people, index),
    company_id: pickId(references.companies, index),
    owner_user_id: pick(references.ownerIds, index),
    ...timestampsAt(index),
  }
  return { ...deal, search_terms: deals.searchTerms!(deal) }
}

/** Creates a task that is due between five days ago and in 24 days. */
export function createTask(id: string, index: number, references: References): Records['tasks'] {
  const due = TODAY + ((index % 30) - 5) * DAY_MS + (index % 1_440) * MINUTE_MS
  return {
    ...tasks.defaults,
    id,
    title: `Call back number ${index}`,
    notes: 'They asked for a quote and for somebody to call them on Monday morning.',
    due_date: new Date(due).toISOString(),
    type_id: references.taskTypeId,
    person_id: pickId(references.people, index),
    company_id: pickId(references.companies, index),
    deal_id: pickId(references.deals, index),
    owner_user_id: pick(references.ownerIds, index),
    ...timestampsAt(index),
  }
}

function createCode(letter: string, index: number): string {
  return `${letter}-${index.toString(32).toUpperCase().padStart(7, '0')}`
}

function middleName(index: number): string {
  const name = [7, 84, 1009].map((step) => pick(SYLLABLES, Math.floor(index / step))).join('')
  return name[0]!.toUpperCase() + name.slice(1)
}

function pick(list: readonly string[], index: number): string {
  return list[index % list.length]!
}

/** Returns a time one minute after that of the previous index. */
function timeAt(index: number): string {
  return new Date(START + index * MINUTE_MS).toISOString()
}

function timestampsAt(index: number): { readonly created_at: string; readonly updated_at: string } {
  return { created_at: timeAt(index), updated_at: timeAt(index) }
}
