import type { Authorize } from '../middleware/authorize.ts'
import type { RequireRoom } from '../middleware/require-room.ts'
import type { TakeTurn } from '../middleware/take-turn.ts'

/** The middleware that a call with a token passes before its handler. */
export interface Guards {
  readonly authorize: Authorize
  readonly requireRoom: RequireRoom
  readonly takeTurn: TakeTurn
}
