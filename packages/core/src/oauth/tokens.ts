import type { Instant, Ports } from '../ports.ts'
import { ACCESS_TOKEN_SECONDS, type AccessClaims, type Audience, audienceUrl, judged, type TokenFault } from './access-token.ts'
import type { Grant } from './grant.ts'
import { type KeyRing, keyRing } from './key-ring.ts'

export interface AccessTokens {
  /** A token for a grant, good for an hour. */
  sign(grant: Pick<Grant, 'id' | 'user_id' | 'client_id' | 'audience'>, workspaceId: string, scopes: readonly string[]): Promise<string>
  /** `'forged'` for whatever this service did not sign, `'foreign'` for what is not for any of `accepted`. */
  read(token: string, accepted: readonly Audience[]): Promise<AccessClaims | TokenFault | 'forged'>
  /** What a token that was signed here says, however long ago: its key may have been replaced since. */
  claimsOf(token: string): Promise<AccessClaims | undefined>
  /** Gives the new key's `kid`. */
  rotateKey(): Promise<{ readonly kid: string }>
}

export function accessTokens(ports: Ports): AccessTokens {
  const { tokens, issuer, now, newId } = ports
  const keys = keyRing(ports)

  return {
    async sign({ id, user_id, client_id, audience }, workspace_id, scopes) {
      const { kid, secret } = await keys.current()
      const iat = seconds(now())
      const claims = {
        iss: issuer,
        aud: audienceUrl(audience, issuer),
        sub: user_id,
        jti: newId(),
        iat,
        exp: iat + ACCESS_TOKEN_SECONDS,
        workspace_id,
        client_id,
        service_scopes: scopes,
        grant_id: id,
      }
      return tokens.sign(claims, kid, secret)
    },
    async read(token, accepted) {
      const claims = await verified(token, keys.secretOf)
      return claims ? judged(claims, issuer, accepted, now()) : 'forged'
    },
    async claimsOf(token) {
      const claims = await verified(token, keys.everSecretOf)
      const told = claims && judged(claims, issuer, ['interface', 'mcp'], undefined)
      return typeof told === 'object' ? told : undefined
    },
    async rotateKey() {
      const { kid } = await keys.rotate()
      return { kid }
    },
  }

  async function verified(token: string, secretOf: KeyRing['secretOf']) {
    const kid = tokens.kidOf(token)
    const secret = kid === undefined ? undefined : await secretOf(kid)
    return secret && tokens.verify(token, secret)
  }
}

function seconds(at: Instant): number {
  return Math.floor(Date.parse(at) / 1000)
}
