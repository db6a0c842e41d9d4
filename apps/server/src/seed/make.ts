import * as core from '@sales-crm/core'
import type { Records } from '@sales-crm/core/ports'
import { associated, findable } from './associated.ts'
import type { Dice } from './dice.ts'
import { DAY_MS, HOUR_MS, instant, type Making, type Place, slug, someOwner, times, withDigits } from './making.ts'
import { ABROAD, BRAZIL, type Market, SOURCES } from './markets.ts'

type Company = Records['companies']
type Person = Records['people']
type Deal = Records['deals']
type Task = Records['tasks']
type Stage = Records['stages']
type TaskType = Records['task_types']

export interface Known {
  readonly companies: ReadonlyMap<Market, readonly Company[]>
  /** By company. */
  readonly people: ReadonlyMap<string | null, readonly Person[]>
}

export function makeCompany(making: Making, place: Place): Company {
  const { dice, newId, code } = making
  const at = place.before + place.index
  const market = marketOf(at)
  const full_name = companyName(market, Math.floor(at / 2))
  const domain = `${slug(full_name)}.example`
  return findable(core.companies, {
    id: newId(),
    entity_id: code('C'),
    full_name,
    emails: [{ email: `${market === BRAZIL ? 'contato' : 'hello'}@${domain}`, type: 'work' }],
    phones: [{ phone: phone(market, dice), type: 'work' }],
    website: `https://www.${domain}`,
    avatar_url: null,
    owner_user_id: someOwner(making),
    ...associated(making, 'companies', { market, name: full_name }),
    ...times(making, place),
  })
}

export function makePerson(making: Making, place: Place, companies: readonly Company[]): Person {
  const { dice, newId, code } = making
  const company = dice.chance(0.9) ? dice.pick(companies) : undefined
  const market = company ? marketOfPhones(company) : marketOf(place.index)
  const names = [dice.pick(market.firstNames)!, ...lastNames(market, dice)]
  const full_name = names.join(' ')
  const local = slug(`${names[0]} ${names.at(-1)}`).replaceAll('-', '.')
  const domain = company?.website?.replace(/^https?:\/\/(www\.)?/, '') ?? 'mail.example'
  return findable(core.people, {
    id: newId(),
    entity_id: code('P'),
    full_name,
    emails: [
      { email: `${local}@${domain}`, type: company ? 'work' : 'home' },
      ...(dice.chance(0.25) ? [{ email: `${local}${dice.between(60, 99)}@mail.example`, type: 'home' as const }] : []),
    ],
    phones: [{ phone: phone(market, dice), type: 'mobile' }],
    position: dice.pick(market.positions)!,
    score: dice.between(0, 100),
    avatar_url: null,
    company_id: company?.id ?? null,
    owner_user_id: someOwner(making),
    ...associated(making, 'people', { market, name: full_name }),
    ...times(making, place),
  })
}

/** Deals take the stages in turn, two for each: one in either currency. */
export function makeDeal(making: Making, place: Place, stages: readonly Stage[], known: Known): Deal {
  const { dice, newId, code, now } = making
  const market = marketOf(place.index)
  const stage = stages[Math.floor(place.index / 2) % stages.length]!
  const company = dice.pick(known.companies.get(market) ?? [])
  const person = company && dice.pick(known.people.get(company.id) ?? [])
  const { created_at } = times(making, place)
  const made = Date.parse(created_at)
  const closedAt = stage.type === 'open' ? undefined : made + dice.roll() * Math.min(now - made, 60 * DAY_MS)
  const forecast = closedAt ?? now + dice.between(-10, 90) * DAY_MS
  const offer = dice.pick(market.offers)!
  const name = company ? `${offer} – ${company.full_name}` : offer
  return findable(core.deals, {
    id: newId(),
    entity_id: code('D'),
    name,
    amount: Math.round(Math.exp(6 + dice.roll() * 6) / 50) * 5_000,
    currency: market.currency,
    pipeline_id: stage.pipeline_id,
    stage_id: stage.id,
    source: dice.pick(SOURCES)!,
    forecast_date: instant(wholeHour(forecast)),
    closed_at: closedAt === undefined ? null : instant(closedAt),
    person_id: person?.id ?? null,
    company_id: company?.id ?? null,
    owner_user_id: someOwner(making),
    ...associated(making, 'deals', { market, name }),
    created_at,
    updated_at: closedAt === undefined ? created_at : instant(closedAt),
  })
}

/** Of ten tasks four are completed, two overdue, three due, and one has no date. */
export function makeTask(
  making: Making,
  place: Place,
  types: readonly TaskType[],
  { deal, person }: { readonly deal: Deal | undefined; readonly person: Person | undefined },
): Task {
  const { dice, newId, now } = making
  const kind = place.index % 10
  const completed = kind < 4
  const due = dueOf(kind, making)
  const spread = Date.parse(times(making, place).created_at)
  const created = due === undefined ? spread : Math.min(spread, due - DAY_MS)
  const market = person ? marketOfPhones(person) : marketOf(place.index)
  const { key, title } = dice.pick(market.tasks)!
  return {
    id: newId(),
    title: title.replace('@', () => firstName(person) ?? dice.pick(market.firstNames)!),
    notes: dice.chance(0.3) ? dice.pick(market.notes)! : null,
    due_date: due === undefined ? null : instant(due),
    type_id: types.find((type) => type.key === key)?.id ?? null,
    person_id: person?.id ?? deal?.person_id ?? null,
    company_id: deal?.company_id ?? person?.company_id ?? null,
    deal_id: deal?.id ?? null,
    owner_user_id: someOwner(making),
    priority: dice.pick(['high', 'medium', 'medium', 'low'] as const)!,
    completed,
    created_at: instant(created),
    updated_at: instant(completed ? created + dice.roll() * (now - created) : created),
  }
}

function dueOf(kind: number, { dice, now }: Making): number | undefined {
  if (kind === 9) return undefined
  const past = kind < 6
  const due = wholeHour(now) + dice.between(1, past ? 20 : 30) * (past ? -DAY_MS : DAY_MS)
  return kind === 6 ? wholeHour(now) + dice.between(2, 8) * HOUR_MS : due
}

/** Markets take turns. */
export function marketOf(at: number): Market {
  return at % 2 === 0 ? BRAZIL : ABROAD
}

export function marketOfPhones({ phones }: Pick<Company, 'phones'>): Market {
  return phones[0]?.phone.startsWith('+55') ? BRAZIL : ABROAD
}

export function firstName(person: Pick<Person, 'full_name'> | undefined): string | undefined {
  return person?.full_name.split(' ')[0]
}

/** No name twice before every word, sector and city was used. */
function companyName({ companies, sectors, places }: Market, at: number): string {
  const first = at % companies.length
  const round = Math.floor(at / companies.length)
  const branch = Math.floor(round / sectors.length)
  const name = `${companies[first]} ${sectors[(first + round) % sectors.length]}`
  return branch === 0 ? name : `${name} ${places[(branch - 1) % places.length]!.city}`
}

/** Never the same one twice. */
function lastNames({ lastNames, lastNamesEach }: Market, dice: Dice): string[] {
  const first = dice.between(0, lastNames.length - 1)
  const step = dice.between(1, lastNames.length - 1)
  return Array.from({ length: lastNamesEach }, (_, at) => lastNames[(first + at * step) % lastNames.length]!)
}

function phone({ phones }: Market, dice: Dice): string {
  return withDigits(dice.pick(phones)!, dice)
}

function wholeHour(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS
}
