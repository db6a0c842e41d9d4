/** Ids that the created records refer to. */
export interface SampleReferences {
  /** The owner is that of nearly all records, the tag and the list those of one in twenty. */
  readonly common: { readonly owner: string; readonly tag: string; readonly list: string }
  /** References of one record in five thousand. */
  readonly rare: {
    readonly owner: string
    readonly tag: string
    readonly company: string
    readonly stage: string
  }
  readonly fields: Readonly<Record<'reference' | 'segment' | 'birthday' | 'revenue' | 'profile', string>>
  readonly pipeline: string
  readonly stages: readonly string[]
  /** Ids of some records created so far, for later ones to refer to. */
  readonly companies: string[]
  readonly people: string[]
  readonly deals: string[]
}

/** Each share is one record in this number. */
const SHARES = { common: 20, rare: 5_000 }
const SYLLABLES = 'ba ce di fo gu la me ni ro su ta ve'.split(' ')
const START = Date.UTC(2024, 0, 1)

/** Returns true if the record at `index` belongs to the share. */
export function hasShare(share: keyof typeof SHARES, index: number): boolean {
  return index % SHARES[share] === 0
}

/** Returns an item of a list, the same for the same index. */
export function pickAt(list: readonly string[], index: number): string {
  // The step is prime, so that adjacent records do not refer to adjacent ones.
  return list[(index * 7_919) % list.length]!
}

export function middleName(index: number): string {
  const name = [7, 84, 1009].map((step) => SYLLABLES[Math.floor(index / step) % SYLLABLES.length]!).join('')
  return name[0]!.toUpperCase() + name.slice(1)
}

/** Returns the creation time at `index`, one minute after that of the previous index. */
export function createdAt(index: number): string {
  return new Date(START + index * 60_000).toISOString()
}

export function timestampsAt(index: number): { readonly created_at: string; readonly updated_at: string } {
  return { created_at: createdAt(index), updated_at: createdAt(index) }
}
