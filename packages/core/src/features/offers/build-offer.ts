import type { Actor } from '../../kernel/actor.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Day } from '../../kernel/time-zone.ts'
import type { Company } from '../../schema/company.ts'
import type { Deal } from '../../schema/deal.ts'
import type { LineItem } from '../../schema/deal-item.ts'
import {
  type DealOffer,
  formatNumber,
  MAX_OFFERS_OF_YEAR,
  type OfferItem,
  type OfferLanguage,
  type Recipient,
} from '../../schema/deal-offer.ts'
import type { Person } from '../../schema/person.ts'
import type { Sender } from '../../schema/sender.ts'
import { computeNet, computeTax, computeTotals } from '../deal-items/line-amounts.ts'

/** What an offer is made of. */
export interface OfferParts {
  readonly id: string
  readonly serial: number
  readonly deal: Pick<Deal, 'id' | 'name' | 'currency'>
  readonly items: readonly LineItem[]
  readonly sender: Sender
  readonly recipient: Recipient
  readonly input: {
    readonly valid_until: Day
    readonly language: OfferLanguage
    readonly notes?: string | null | undefined
  }
  readonly actor: Pick<Actor, 'userId'>
  readonly at: Instant
  /** The day of `at` in the time zone of the workspace. */
  readonly date: Day
}

/** Copies what an offer shows, so that nothing changes it later. */
export function buildOffer(parts: OfferParts): DealOffer {
  const { id, serial, deal, items, recipient, input, actor, at, date } = parts
  const { logo_key, ...sender } = parts.sender
  return {
    ...{ id, serial, number: formatNumber(serial), date, sender, logo_key, recipient },
    ...{ deal_id: deal.id, title: deal.name, currency: deal.currency },
    ...{ valid_until: input.valid_until, language: input.language, notes: input.notes ?? null },
    ...{ items: items.map(toOfferItem), totals: computeTotals(items) },
    ...{ link_hash: null, link_created_at: null, opens: 0, last_opened_at: null },
    ...{ user_id: actor.userId, created_at: at, updated_at: at },
  }
}

function toOfferItem(item: LineItem): OfferItem {
  const { name, code, description, quantity, unit_price_cts, discount, tax_rate, billing_cycle } = item
  return {
    ...{ name, code, description, quantity, unit_price_cts, discount, tax_rate, billing_cycle },
    ...{ total_cts: Number(computeNet(item)), tax_cts: Number(computeTax(item)) },
  }
}

export function buildRecipient(
  person: Pick<Person, 'full_name' | 'emails'> | undefined,
  company: Pick<Company, 'full_name' | 'emails'> | undefined,
): Recipient {
  const [email] = [...(person?.emails ?? []), ...(company?.emails ?? [])]
  return {
    company_name: company?.full_name ?? null,
    person_name: person?.full_name ?? null,
    email: email?.email ?? null,
  }
}

/** The serials of a year, without the one of no offer that they begin with. */
export function serialsOf(day: Day): { readonly from: number; readonly to: number } {
  const first = Number(day.slice(0, 'YYYY'.length)) * MAX_OFFERS_OF_YEAR
  return { from: first, to: first + MAX_OFFERS_OF_YEAR - 1 }
}
