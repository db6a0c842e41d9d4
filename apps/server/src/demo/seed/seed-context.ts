import type { Instant, NewId, Records } from '@sales-crm/core/ports'
import type { RandomSource } from './random-source.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365 * DAY_MS

type CustomField = Records['custom_fields']

export interface SeedContext {
  readonly random: RandomSource
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
export interface BatchPosition {
  readonly index: number
  readonly count: number
  /** How many there were before, so that names go on where they stopped. */
  readonly existingCount: number
}

interface Times {
  readonly created_at: Instant
  readonly updated_at: Instant
}

export function spreadTimes(
  { random, now }: Pick<SeedContext, 'random' | 'now'>,
  { index, count }: Pick<BatchPosition, 'index' | 'count'>,
): Times {
  const at = toInstant(now - YEAR_MS * (1 - (index + random.next()) / count))
  return { created_at: at, updated_at: at }
}

/** Before all that `times` gives, in the order of `index`. */
export function timesBeforeSpread(now: number, index: number): Times {
  const at = toInstant(now - YEAR_MS - DAY_MS + index * 60_000)
  return { created_at: at, updated_at: at }
}

export function randomOwner({ random, owners }: SeedContext): string | null {
  return random.chance(0.85) ? (random.pick(owners) ?? null) : null
}

/** A pattern with a digit in the place of each `#`. */
export function fillDigits(pattern: string, random: RandomSource): string {
  return pattern.replace(/#/g, () => String(random.integerBetween(0, 9)))
}

export function slugify(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
}

export function toInstant(at: number): Instant {
  return new Date(Math.round(at)).toISOString()
}
