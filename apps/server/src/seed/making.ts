import type { Instant, NewId, Records } from '@sales-crm/core/ports'
import type { Dice } from './dice.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365 * DAY_MS

type CustomField = Records['custom_fields']

export interface Making {
  readonly dice: Dice
  readonly newId: NewId
  /** An entity code that begins with the letter. */
  readonly code: (letter: string) => string
  /** Unix milliseconds. */
  readonly now: number
  /** Who may own records. */
  readonly owners: readonly string[]
  readonly labels: Labels
}

/** What people, companies and deals are marked with. */
export interface Labels {
  /** Ids. */
  readonly tags: readonly string[]
  /** Ids. */
  readonly lists: readonly string[]
  /** By the kind they are shown for. */
  readonly fields: Readonly<Record<'people' | 'companies' | 'deals', readonly CustomField[]>>
}

/** The place of a record among those made in one go, by which they spread over the past year, the oldest first. */
export interface Place {
  readonly index: number
  readonly count: number
  /** How many there were before, so that names go on where they stopped. */
  readonly before: number
}

interface Times {
  readonly created_at: Instant
  readonly updated_at: Instant
}

export function times({ dice, now }: Pick<Making, 'dice' | 'now'>, { index, count }: Pick<Place, 'index' | 'count'>): Times {
  const at = instant(now - YEAR_MS * (1 - (index + dice.roll()) / count))
  return { created_at: at, updated_at: at }
}

/** Before all that `times` gives, in the order of `index`. */
export function timesBefore(now: number, index: number): Times {
  const at = instant(now - YEAR_MS - DAY_MS + index * 60_000)
  return { created_at: at, updated_at: at }
}

export function someOwner({ dice, owners }: Making): string | null {
  return dice.chance(0.85) ? (dice.pick(owners) ?? null) : null
}

/** A pattern with a digit in the place of each `#`. */
export function withDigits(pattern: string, dice: Dice): string {
  return pattern.replace(/#/g, () => String(dice.between(0, 9)))
}

export function slug(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
}

export function instant(at: number): Instant {
  return new Date(Math.round(at)).toISOString()
}
