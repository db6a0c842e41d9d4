import type { Records } from '@sales-crm/core/ports'
import { firstName, marketOf, marketOfPhones } from './make.ts'
import { instant, type Making, type Place, someOwner, times } from './making.ts'
import { ABROAD, BRAZIL, type Market } from './markets.ts'

type Activity = Records['activities']
type Company = Records['companies']
type Person = Records['people']
type Deal = Records['deals']

/** What activities are about. */
export interface Known {
  readonly companies: readonly Company[]
  readonly people: readonly Person[]
  readonly deals: readonly Deal[]
  readonly peopleById: ReadonlyMap<string, Person>
}

/** Half of the activities are about people, the others about companies and deals; each came after what it is about. */
export function makeActivity(making: Making, place: Place, known: Known): Activity {
  const { dice, newId, now } = making
  const kind = dice.pick(['people', 'people', 'companies', 'deals'] as const)
  const company = kind === 'companies' ? dice.pick(known.companies) : undefined
  const deal = kind === 'deals' ? dice.pick(known.deals) : undefined
  const person = company || deal ? undefined : dice.pick(known.people)
  const about = company ?? deal ?? person
  const made = about && Date.parse(about.created_at)
  const market = marketAbout({ company, deal, person }) ?? marketOf(place.index)
  const met = person ?? known.peopleById.get(deal?.person_id ?? '')
  const name = firstName(met) ?? dice.pick(market.firstNames)!
  return {
    id: newId(),
    person_id: person?.id ?? null,
    company_id: company?.id ?? null,
    deal_id: deal?.id ?? null,
    content_html: dice.pick(market.activities)!.replace('@', () => asHtml(name)),
    attachments_count: 0,
    owner_user_id: someOwner(making),
    created_at: made === undefined ? times(making, place).created_at : instant(made + dice.roll() * (now - made)),
    updated_at: null,
  }
}

interface About {
  readonly company: Company | undefined
  readonly deal: Deal | undefined
  readonly person: Person | undefined
}

function marketAbout({ company, deal, person }: About): Market | undefined {
  if (deal) return deal.currency === BRAZIL.currency ? BRAZIL : ABROAD
  const contact = company ?? person
  return contact && marketOfPhones(contact)
}

/** As the cleaning of HTML writes it. */
function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
