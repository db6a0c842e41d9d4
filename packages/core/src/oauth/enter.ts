import type { Actor } from '../actor.ts'
import { CrmError, type Meter, tooMany } from '../errors.ts'
import type { Counter, Gate, RateWindow } from '../ports.ts'
import { isUuid } from '../records/fields.ts'
import type { Audience } from './access-token.ts'
import type { AccessTokens } from './tokens.ts'

/** How calls are counted. An undefined counter is switched off. */
export interface Counters {
  ofApp(clientId: string, workspaceId: string): Counter | undefined
  readonly ofAddress: Counter | undefined
}

/** Exactly one of `actor` and `refusal` is there. */
export interface Entry {
  readonly actor?: Actor
  readonly refusal?: CrmError
  /** The window the call was counted in, whatever became of it. */
  readonly meter?: Meter | undefined
}

/** @param door where the call came: a token for the whole interface opens `/mcp` too, and one for `/mcp` opens nothing else */
export type Enter = (authorization: string | undefined, counters: Counters, door?: Audience) => Promise<Entry>

const OPENED_BY: Readonly<Record<Audience, readonly Audience[]>> = { interface: ['interface'], mcp: ['interface', 'mcp'] }

/** Lets a call in, or says why not: the token first, then the app's limit. A call without a good token counts for its address. */
export function enterWith(tokens: AccessTokens, gate: Gate): Enter {
  return async (authorization, counters, door = 'interface') => {
    const token = bearerOf(authorization)
    if (token === undefined) return refused('Missing or invalid Authorization header.', counters)
    const claims = await tokens.read(token, OPENED_BY[door])
    if (claims === 'expired') {
      return refused('Access token expired. Refresh using the refresh token.', counters, 'token_expired')
    }
    if (claims === 'incomplete') return refused('Token is missing required claims.', counters)
    if (typeof claims === 'string') return refused('Invalid or malformed token.', counters)

    const { workspace_id, client_id, service_scopes, grant_id } = claims
    const counter = counters.ofApp(client_id, workspace_id)
    const wellFormed = isUuid(workspace_id) && isUuid(grant_id)
    const admitted = wellFormed ? await gate.admit({ workspace_id, id: grant_id }, counter) : undefined
    if (!admitted || admitted.granted.client_id !== client_id) return refused('Invalid or malformed token.', counters)

    const meter = meterOf(counter, admitted.window)
    if (isOver(meter)) return { refusal: tooMany(meter), meter }
    const { user_id, role } = admitted.granted
    return { actor: { workspaceId: workspace_id, userId: user_id, role, clientId: client_id, scopes: new Set(service_scopes) }, meter }
  }

  async function refused(
    message: string,
    { ofAddress }: Counters,
    code: 'unauthorized' | 'token_expired' = 'unauthorized',
  ): Promise<Entry> {
    const meter = ofAddress && meterOf(ofAddress, await gate.count(ofAddress))
    return { refusal: isOver(meter) ? tooMany(meter) : new CrmError(code, message), meter }
  }
}

export function meterOf(counter: Counter | undefined, window: RateWindow | undefined): Meter | undefined {
  return counter && window && { limit: counter.limit, ...window }
}

export function isOver(meter: Meter | undefined): meter is Meter {
  return meter !== undefined && meter.used > meter.limit
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization ?? '')?.[1]
}
