/** What records are linked to and marked with, by their ids. */
export interface SampleReferences {
  /** Held by nearly all, or by one in twenty. */
  readonly common: { readonly owner: string; readonly tag: string; readonly list: string }
  /** Held by one in five thousand. */
  readonly rare: {
    readonly owner: string
    readonly tag: string
    readonly company: string
    readonly stage: string
  }
  readonly fields: Readonly<Record<'reference' | 'segment' | 'birthday' | 'revenue' | 'profile', string>>
  readonly pipeline: string
  readonly stages: readonly string[]
  /** Some of those made so far, for others to be linked to. */
  readonly companies: string[]
  readonly people: string[]
  readonly deals: string[]
}

/** Shares of the records: one in so many. */
const SHARES = { common: 20, rare: 5_000 }
const PARTS = 'ba ce di fo gu la me ni ro su ta ve'.split(' ')
const START = Date.UTC(2024, 0, 1)

/** Whether the record is one of those that hold what is rare, or common. */
export function some(share: keyof typeof SHARES, index: number): boolean {
  return index % SHARES[share] === 0
}

/** One of a list, the same for the same index. */
export function picked(list: readonly string[], index: number): string {
  // A step that is no divisor, so that neighbours are not linked to neighbours.
  return list[(index * 7_919) % list.length]!
}

export function middleName(index: number): string {
  const name = [7, 84, 1009].map((step) => PARTS[Math.floor(index / step) % PARTS.length]!).join('')
  return name[0]!.toUpperCase() + name.slice(1)
}

/** A minute after that of the record before. */
export function createdAt(index: number): string {
  return new Date(START + index * 60_000).toISOString()
}

export function stamps(index: number): { readonly created_at: string; readonly updated_at: string } {
  return { created_at: createdAt(index), updated_at: createdAt(index) }
}
