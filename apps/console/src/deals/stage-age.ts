import { daysSince } from '../format/dates.ts'

export interface StageAge {
  /** Full days since the deal came into its stage. */
  readonly days: number
  /** The limit of the stage, if the deal has been there for longer. */
  readonly staleAfter: number | undefined
}

/** How long an open deal has been in its stage. A limit of 10 days is passed on the eleventh. */
export function measureStageAge(
  enteredAt: string,
  { type, limit }: { readonly type: string | undefined; readonly limit: number | null },
  now: Date,
): StageAge {
  const days = daysSince(new Date(enteredAt), now)
  return { days, staleAfter: type === 'open' && limit !== null && days > limit ? limit : undefined }
}
