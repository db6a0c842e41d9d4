import type { Authorize } from '../middleware/authorize.ts'
import type { EnforceQuota } from '../middleware/enforce-quota.ts'
import type { TakeTurn } from '../middleware/take-turn.ts'

/** The middleware that a call with a token passes before its handler. */
export interface Guards {
  readonly authorize: Authorize
  readonly enforceQuota: EnforceQuota
  readonly takeTurn: TakeTurn
}
