import type { Instant, NewId, Records } from '@sales-crm/core/ports'
import type { RandomSource } from './random-source.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365 * DAY_MS

type CustomField = Records['custom_fields']

export interface SeedContext {
  readonly random: RandomSource
  readonly newId: NewId
  /** Generates an entity code that begins with the letter. */
  readonly code: (letter: string) => string
  /** Unix milliseconds. */
  readonly now: number
  /** Of the workspace. */
  readonly timeZone: string
  /** Ids of the members who can own records. */
  readonly owners: readonly string[]
  readonly labels: Labels
}

/** Tags, lists and custom fields for people, companies and deals. */
export interface Labels {
  /** Ids. */
  readonly tags: readonly string[]
  /** Ids. */
  readonly lists: readonly string[]
  /** Custom fields by the record type that has them. */
  readonly fields: Readonly<Record<'people' | 'companies' | 'deals', readonly CustomField[]>>
}

/** Position of a record among those of one run. Their times spread over the past year, the oldest first. */
export interface BatchPosition {
  readonly index: number
  readonly count: number
  /** Number of records before the run, from which the sequence of names continues. */
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
  const instant = toInstant(now - YEAR_MS * (1 - (index + random.next()) / count))
  return { created_at: instant, updated_at: instant }
}

/** Returns times before all those of `spreadTimes`, in the order of `index`. */
export function timesBeforeSpread(now: number, index: number): Times {
  const instant = toInstant(now - YEAR_MS - DAY_MS + index * 60_000)
  return { created_at: instant, updated_at: instant }
}

export function randomOwner({ random, owners }: SeedContext): string | null {
  return random.chance(0.85) ? (random.pick(owners) ?? null) : null
}

/** Replaces each `#` by a random digit. */
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

export function toInstant(timestamp: number): Instant {
  return new Date(Math.round(timestamp)).toISOString()
}
