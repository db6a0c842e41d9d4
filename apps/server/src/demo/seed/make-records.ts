import * as core from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import type { Records } from '@sales-crm/core/ports'
import { BRAZIL, INTERNATIONAL, type Market, SOURCES } from './markets.ts'
import type { RandomSource } from './random-source.ts'
import { makeAssociations, withSearchTerms } from './seed-associations.ts'
import {
  type BatchPosition,
  DAY_MS,
  fillDigits,
  HOUR_MS,
  randomOwner,
  type SeedContext,
  slugify,
  spreadTimes,
  toInstant,
} from './seed-context.ts'

type Company = Records['companies']
type Person = Records['people']
type Deal = Records['deals']
type Task = Records['tasks']
type Stage = Records['stages']
type TaskType = Records['task_types']

export interface DealContacts {
  readonly companies: ReadonlyMap<Market, readonly Company[]>
  /** People by company id. */
  readonly people: ReadonlyMap<string | null, readonly Person[]>
}

export function makeCompany(context: SeedContext, position: BatchPosition): Company {
  const { random, newId, code } = context
  const ordinal = position.existingCount + position.index
  const market = marketOf(ordinal)
  const full_name = companyName(market, Math.floor(ordinal / 2))
  const domain = `${slugify(full_name)}.example`
  return withSearchTerms(RESOURCES.companies, {
    id: newId(),
    entity_id: code('C'),
    full_name,
    emails: [{ email: `${market === BRAZIL ? 'contato' : 'hello'}@${domain}`, type: 'work' }],
    phones: [{ phone: phone(market, random), type: 'work' }],
    website: `https://www.${domain}`,
    avatar_url: null,
    owner_user_id: randomOwner(context),
    ...makeAssociations(context, 'companies', { market, name: full_name }),
    ...spreadTimes(context, position),
  })
}

export function makePerson(
  context: SeedContext,
  position: BatchPosition,
  companies: readonly Company[],
): Person {
  const { random, newId, code } = context
  const company = random.chance(0.9) ? random.pick(companies) : undefined
  const market = company ? marketOfPhones(company) : marketOf(position.index)
  const names = [random.pick(market.firstNames)!, ...lastNames(market, random)]
  const full_name = names.join(' ')
  const local = slugify(`${names[0]} ${names.at(-1)}`).replaceAll('-', '.')
  const domain = company?.website?.replace(/^https?:\/\/(www\.)?/, '') ?? 'mail.example'
  return withSearchTerms(RESOURCES.people, {
    id: newId(),
    entity_id: code('P'),
    full_name,
    emails: [
      { email: `${local}@${domain}`, type: company ? 'work' : 'home' },
      ...(random.chance(0.25)
        ? [{ email: `${local}${random.integerBetween(60, 99)}@mail.example`, type: 'home' as const }]
        : []),
    ],
    phones: [{ phone: phone(market, random), type: 'mobile' }],
    position: random.pick(market.positions)!,
    score: random.integerBetween(0, 100),
    avatar_url: null,
    company_id: company?.id ?? null,
    owner_user_id: randomOwner(context),
    ...makeAssociations(context, 'people', { market, name: full_name }),
    ...spreadTimes(context, position),
  })
}

/** Creates a deal. Deals cycle through the stages, two per stage: one in each currency. */
export function makeDeal(
  context: SeedContext,
  position: BatchPosition,
  stages: readonly Stage[],
  contacts: DealContacts,
): Deal {
  const { random, newId, code, now } = context
  const market = marketOf(position.index)
  const stage = stages[Math.floor(position.index / 2) % stages.length]!
  const company = random.pick(contacts.companies.get(market) ?? [])
  const person = company && random.pick(contacts.people.get(company.id) ?? [])
  const { created_at } = spreadTimes(context, position)
  const createdAt = Date.parse(created_at)
  const closedAt =
    stage.type === 'open' ? undefined : createdAt + random.next() * Math.min(now - createdAt, 60 * DAY_MS)
  const forecast = closedAt ?? now + random.integerBetween(-10, 90) * DAY_MS
  const offer = random.pick(market.offers)!
  const name = company ? `${offer} – ${company.full_name}` : offer
  return withSearchTerms(RESOURCES.deals, {
    id: newId(),
    entity_id: code('D'),
    name,
    amount: Math.round(Math.exp(6 + random.next() * 6) / 50) * 5_000,
    currency: market.currency,
    pipeline_id: stage.pipeline_id,
    stage_id: stage.id,
    source: random.pick(SOURCES)!,
    forecast_date: toWholeDay(forecast, context),
    closed_at: closedAt === undefined ? null : toInstant(closedAt),
    person_id: person?.id ?? null,
    company_id: company?.id ?? null,
    owner_user_id: randomOwner(context),
    ...makeAssociations(context, 'deals', { market, name }),
    created_at,
    updated_at: closedAt === undefined ? created_at : toInstant(closedAt),
  })
}

/** Creates a task. In ten tasks, four are completed, two are overdue, three are due and one has no date. */
export function makeTask(
  context: SeedContext,
  position: BatchPosition,
  types: readonly TaskType[],
  { deal, person }: { readonly deal: Deal | undefined; readonly person: Person | undefined },
): Task {
  const { random, newId, now } = context
  const kind = position.index % 10
  const completed = kind < 4
  const due = dueDateOf(kind, context)
  const spreadCreatedAt = Date.parse(spreadTimes(context, position).created_at)
  const created = due === undefined ? spreadCreatedAt : Math.min(spreadCreatedAt, due - DAY_MS)
  const market = person ? marketOfPhones(person) : marketOf(position.index)
  const { key, title } = random.pick(market.tasks)!
  const task: Task = {
    id: newId(),
    title: title.replace('@', () => firstName(person) ?? random.pick(market.firstNames)!),
    notes: random.chance(0.3) ? random.pick(market.notes)! : null,
    due_date: due === undefined ? null : hasTime(kind) ? toInstant(due) : toWholeDay(due, context),
    type_id: types.find((type) => type.key === key)?.id ?? null,
    person_id: person?.id ?? deal?.person_id ?? null,
    company_id: deal?.company_id ?? person?.company_id ?? null,
    deal_id: deal?.id ?? null,
    owner_user_id: randomOwner(context),
    priority: random.pick(['high', 'medium', 'medium', 'low'] as const)!,
    completed,
    completed_at: null,
    created_at: toInstant(created),
    updated_at: toInstant(completed ? created + random.next() * (now - created) : created),
  }
  return completed ? { ...task, completed_at: task.updated_at } : task
}

/** Two of the five open tasks have no time: one that is late, and one that is due later. */
function hasTime(kind: number): boolean {
  return kind !== 4 && kind !== 7
}

function dueDateOf(kind: number, { random, now }: SeedContext): number | undefined {
  if (kind === 9) return undefined
  const isOverdue = kind < 6
  const due =
    roundToHour(now) + random.integerBetween(1, isOverdue ? 20 : 30) * (isOverdue ? -DAY_MS : DAY_MS)
  return kind === 6 ? roundToHour(now) + random.integerBetween(2, 8) * HOUR_MS : due
}

/** Alternates between the markets. */
export function marketOf(index: number): Market {
  return index % 2 === 0 ? BRAZIL : INTERNATIONAL
}

export function marketOfPhones({ phones }: Pick<Company, 'phones'>): Market {
  return phones[0]?.phone.startsWith('+55') ? BRAZIL : INTERNATIONAL
}

export function firstName(person: Pick<Person, 'full_name'> | undefined): string | undefined {
  return person?.full_name.split(' ')[0]
}

/** Repeats no name until all combinations of word, sector and city are used. */
function companyName({ companies, sectors, places }: Market, index: number): string {
  const first = index % companies.length
  const round = Math.floor(index / companies.length)
  const branch = Math.floor(round / sectors.length)
  const name = `${companies[first]} ${sectors[(first + round) % sectors.length]}`
  return branch === 0 ? name : `${name} ${places[(branch - 1) % places.length]!.city}`
}

/** Picks distinct names. */
function lastNames({ lastNames, lastNamesEach }: Market, random: RandomSource): string[] {
  const first = random.integerBetween(0, lastNames.length - 1)
  const step = random.integerBetween(1, lastNames.length - 1)
  return Array.from(
    { length: lastNamesEach },
    (_, index) => lastNames[(first + index * step) % lastNames.length]!,
  )
}

function phone({ phones }: Market, random: RandomSource): string {
  return fillDigits(random.pick(phones)!, random)
}

function toWholeDay(timestamp: number, { timeZone }: SeedContext): string {
  return core.wholeDay(core.dayOf(toInstant(timestamp), timeZone), timeZone)
}

function roundToHour(timestamp: number): number {
  return Math.floor(timestamp / HOUR_MS) * HOUR_MS
}
