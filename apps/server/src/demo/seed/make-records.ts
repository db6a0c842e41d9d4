import * as core from '@sales-crm/core'
import type { Instant, Records } from '@sales-crm/core/ports'
import { DAY_MS, slugify, toInstant, YEAR_MS } from './complete-record.ts'
import { makeCustomValues } from './custom-values.ts'
import { BRAZIL, INTERNATIONAL, type Market } from './markets.ts'
import type { RandomSource } from './random-source.ts'
import type { Settings } from './samples.ts'

type Company = Records['companies']
type Person = Records['people']
type Deal = Records['deals']

export interface SeedContext extends Settings {
  readonly random: RandomSource
  /** Unix milliseconds. */
  readonly now: number
  readonly timeZone: string
  /** Ids of the members who can own records. */
  readonly owners: readonly string[]
}

/** Makes the columns of a record that have no default. `spreadAt` is in the past year, later for later ordinals. */
export type MakeFields<R> = (ordinal: number, spreadAt: number) => Partial<R>

const HOUR_MS = 3_600_000
const MARKETS = [BRAZIL, INTERNATIONAL]
const SOURCES = ['Event', 'Inbound call', 'LinkedIn', 'Outbound', 'Partner', 'Referral', 'Website']
const LINKS = { people: 'person_id', companies: 'company_id', deals: 'deal_id' } as const

/** Repeats no name until all combinations of words and city are used. */
export function companyMaker(context: SeedContext): MakeFields<Company> {
  return (ordinal) => {
    const market = marketAt(ordinal)
    const { companies, sectors, places } = market
    const index = Math.floor(ordinal / MARKETS.length)
    const round = Math.floor(index / (companies.length * sectors.length))
    const words = [companies[index % companies.length], sectors[index % sectors.length]]
    const full_name = [...words, ...(round > 0 ? [places[round % places.length]!.city] : [])].join(' ')
    const domain = `${slugify(full_name)}.example`
    return {
      full_name,
      emails: [{ email: `${market.mailbox}@${domain}`, type: 'work' }],
      phones: [{ phone: context.random.fillDigits(market.phones), type: 'work' }],
      website: `https://www.${domain}`,
      ...makeLabels(context, 'show_companies', market, full_name),
    }
  }
}

export function personMaker(context: SeedContext, companies: readonly Company[]): MakeFields<Person> {
  const { random } = context
  return (ordinal) => {
    const company = random.next() < 0.9 ? random.pick(companies) : undefined
    const market = marketOf(company) ?? marketAt(ordinal)
    const full_name = `${random.pick(market.firstNames)} ${random.pick(market.lastNames)}`
    const mailbox = slugify(full_name).replaceAll('-', '.')
    const domain = company?.website?.replace(/^https?:\/\/(www\.)?/, '')
    const work = { email: `${mailbox}@${domain}`, type: 'work' } as const
    const home = { email: `${mailbox}${random.integerBetween(60, 99)}@mail.example`, type: 'home' } as const
    return {
      full_name,
      emails: !domain ? [home] : random.next() < 0.25 ? [work, home] : [work],
      phones: [{ phone: random.fillDigits(market.phones), type: 'mobile' }],
      position: random.pick(market.positions)!,
      score: random.integerBetween(0, 100),
      company_id: company?.id ?? null,
      ...makeLabels(context, 'show_people', market, full_name),
    }
  }
}

/** Makes deals in each stage and currency in turn. Open deals are recent, as in a pipeline that is in use. */
export function dealMaker(
  context: SeedContext,
  companies: readonly Company[],
  people: readonly Person[],
): MakeFields<Deal> {
  const { random, now, stages } = context
  const companiesByMarket = Map.groupBy(companies, marketOf)
  const peopleByCompany = Map.groupBy(people, ({ company_id }) => company_id)
  return (ordinal, spreadAt) => {
    const market = marketAt(ordinal)
    const stage = stages[Math.floor(ordinal / MARKETS.length) % stages.length]!
    const company = random.pick(companiesByMarket.get(market) ?? [])
    const person = company && random.pick(peopleByCompany.get(company.id) ?? [])
    const isOpen = stage.type === 'open'
    const createdAt = isOpen ? now - random.next() * 75 * DAY_MS : spreadAt
    const closedAt = createdAt + random.next() * Math.min(now - createdAt, 60 * DAY_MS)
    const offer = random.pick(market.offers)!
    const name = company ? `${offer} – ${company.full_name}` : offer
    return {
      name,
      amount: Math.round(Math.exp(6 + random.next() * 6) / 50) * 5_000,
      currency: market.currency,
      pipeline_id: stage.pipeline_id,
      stage_id: stage.id,
      source: random.pick(SOURCES)!,
      forecast_date: toWholeDay(isOpen ? now + random.integerBetween(-10, 90) * DAY_MS : closedAt, context),
      person_id: person?.id ?? null,
      company_id: company?.id ?? null,
      ...makeLabels(context, 'show_deals', market, name),
      created_at: toInstant(createdAt),
      ...(!isOpen && { closed_at: toInstant(closedAt), updated_at: toInstant(closedAt) }),
    }
  }
}

/** Makes tasks of which, in ten, four are completed, two are overdue, three are due and one has no date. */
export function taskMaker(
  context: SeedContext,
  people: readonly Person[],
  deals: readonly Deal[],
): MakeFields<Records['tasks']> {
  const { random, now, taskTypes } = context
  const peopleById = new Map<string | null, Person>(people.map((person) => [person.id, person]))
  const thisHour = Math.floor(now / HOUR_MS) * HOUR_MS
  return (ordinal, spreadAt) => {
    const deal = random.next() < 0.6 ? random.pick(deals) : undefined
    const person = deal ? peopleById.get(deal.person_id) : random.pick(people)
    const market = marketOf(deal ?? person) ?? marketAt(ordinal)
    const [typeKey, title] = random.pick(Object.entries(market.tasks))!
    const variant = ordinal % 10
    const isCompleted = variant < 4
    const [hasTime, hasDate] = [variant !== 4 && variant !== 7, variant !== 9]
    const hours = variant === 6 ? random.integerBetween(2, 8) : 24 * random.integerBetween(1, 20)
    const dueAt = thisHour + (variant < 6 ? -hours : hours) * HOUR_MS
    const createdAt = Math.min(spreadAt, dueAt - DAY_MS)
    const updated_at = toInstant(isCompleted ? createdAt + random.next() * (now - createdAt) : createdAt)
    return {
      title: title.replace('@', () => firstName(person) ?? random.pick(market.firstNames)!),
      notes: random.next() < 0.3 ? random.pick(market.notes)! : null,
      due_date: hasDate ? (hasTime ? toInstant(dueAt) : toWholeDay(dueAt, context)) : null,
      type_id: taskTypes.find(({ key }) => key === typeKey)?.id ?? null,
      person_id: person?.id ?? deal?.person_id ?? null,
      company_id: deal?.company_id ?? person?.company_id ?? null,
      deal_id: deal?.id ?? null,
      priority: random.pick(['high', 'medium', 'medium', 'low'] as const)!,
      completed: isCompleted,
      completed_at: isCompleted ? updated_at : null,
      created_at: toInstant(createdAt),
      updated_at,
    }
  }
}

/** Makes activities that are later than their records: half of people, the others of companies and deals. */
export function activityMaker(
  { random, now }: SeedContext,
  records: { readonly [K in 'companies' | 'people' | 'deals']: readonly Records[K][] },
): MakeFields<Records['activities']> {
  const peopleById = new Map(records.people.map((person) => [person.id, person]))
  return (ordinal) => {
    const kind = random.pick(['people', 'people', 'companies', 'deals'] as const)!
    const subject = random.pick<Company | Person | Deal>(records[kind])
    const market = marketOf(subject) ?? marketAt(ordinal)
    const personId = subject && 'person_id' in subject ? subject.person_id : subject?.id
    const name = firstName(peopleById.get(personId ?? '')) ?? random.pick(market.firstNames)!
    const earliest = subject ? Date.parse(subject.created_at) : now - YEAR_MS
    return {
      [LINKS[kind]]: subject?.id ?? null,
      content_html: random.pick(market.activities)!.replace('@', () => escapeHtml(name)),
      created_at: toInstant(earliest + random.next() * (now - earliest)),
      updated_at: null,
    }
  }
}

function makeLabels(
  { random, tags, lists, fields }: SeedContext,
  visibility: 'show_people' | 'show_companies' | 'show_deals',
  market: Market,
  name: string,
) {
  const visibleFields = fields.filter((field) => field[visibility])
  return {
    tag_ids: random.sample(tags, 0, 2).map(({ id }) => id),
    list_ids: random.sample(lists, 0, 1).map(({ id }) => id),
    custom_values: makeCustomValues(visibleFields, { random, market, name }),
  }
}

/** Alternates between the markets. */
function marketAt(ordinal: number): Market {
  return MARKETS[ordinal % MARKETS.length]!
}

/** Tells the market by the currency of a deal, and by the first phone number of a company or person. */
function marketOf(record: Company | Person | Deal | undefined): Market | undefined {
  if (record === undefined) return undefined
  const mark = 'currency' in record ? record.currency : record.phones[0]?.phone
  return mark === BRAZIL.currency || mark?.startsWith('+55') ? BRAZIL : INTERNATIONAL
}

function firstName(person: Person | undefined): string | undefined {
  return person?.full_name.split(' ')[0]
}

function toWholeDay(timestamp: number, { timeZone }: SeedContext): Instant {
  return core.wholeDay(core.dayOf(toInstant(timestamp), timeZone), timeZone)
}

/** Escapes text in the same way as the HTML cleaner. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
