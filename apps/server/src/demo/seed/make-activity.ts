import type { Records } from '@sales-crm/core/ports'
import { firstName, marketOf, marketOfPhones } from './make-records.ts'
import { BRAZIL, INTERNATIONAL, type Market } from './markets.ts'
import { type BatchPosition, randomOwner, type SeedContext, spreadTimes, toInstant } from './seed-context.ts'

type Activity = Records['activities']
type Company = Records['companies']
type Person = Records['people']
type Deal = Records['deals']

/** Records that activities can refer to. */
export interface ActivitySubjects {
  readonly companies: readonly Company[]
  readonly people: readonly Person[]
  readonly deals: readonly Deal[]
  readonly peopleById: ReadonlyMap<string, Person>
}

/**
 * Creates an activity: half refer to people, the others to companies and deals. It is later than its record.
 */
export function makeActivity(
  context: SeedContext,
  position: BatchPosition,
  subjects: ActivitySubjects,
): Activity {
  const { random, newId, now } = context
  const entity = random.pick(['people', 'people', 'companies', 'deals'] as const)
  const company = entity === 'companies' ? random.pick(subjects.companies) : undefined
  const deal = entity === 'deals' ? random.pick(subjects.deals) : undefined
  const person = company || deal ? undefined : random.pick(subjects.people)
  const subject = company ?? deal ?? person
  const createdAt = subject && Date.parse(subject.created_at)
  const market = marketOfSubject({ company, deal, person }) ?? marketOf(position.index)
  const contact = person ?? subjects.peopleById.get(deal?.person_id ?? '')
  const name = firstName(contact) ?? random.pick(market.firstNames)!
  return {
    id: newId(),
    person_id: person?.id ?? null,
    company_id: company?.id ?? null,
    deal_id: deal?.id ?? null,
    content_html: random.pick(market.activities)!.replace('@', () => escapeHtml(name)),
    attachments_count: 0,
    owner_user_id: randomOwner(context),
    created_at:
      createdAt === undefined
        ? spreadTimes(context, position).created_at
        : toInstant(createdAt + random.next() * (now - createdAt)),
    updated_at: null,
  }
}

interface ActivitySubject {
  readonly company: Company | undefined
  readonly deal: Deal | undefined
  readonly person: Person | undefined
}

function marketOfSubject({ company, deal, person }: ActivitySubject): Market | undefined {
  if (deal) return deal.currency === BRAZIL.currency ? BRAZIL : INTERNATIONAL
  const contact = company ?? person
  return contact && marketOfPhones(contact)
}

/** Escapes text in the same way as the HTML cleaner. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
