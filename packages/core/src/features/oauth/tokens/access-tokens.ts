import type { Instant } from '../../../kernel/instant.ts'
import type { Ports } from '../../../ports/index.ts'
import type { Audience, Grant } from '../../../schema/grant.ts'
import {
  ACCESS_TOKEN_SECONDS,
  type AccessClaims,
  getAudienceUrl,
  parseClaims,
  type TokenError,
} from './access-token-claims.ts'
import { KeyRing } from './key-ring.ts'

export interface AccessTokens {
  /** Returns an access token for a grant. @param lifetimeSeconds default: an hour */
  sign(
    grant: Pick<Grant, 'id' | 'user_id' | 'client_id' | 'audience'>,
    workspaceId: string,
    scopes: readonly string[],
    lifetimeSeconds?: number,
  ): Promise<string>
  /**
   * Returns the claims of a valid token. Returns `'forged'` if this service did not sign it, and `'foreign'`
   * if it is not for one of `audiences`.
   */
  verify(token: string, audiences: readonly Audience[]): Promise<AccessClaims | TokenError | 'forged'>
  /**
   * Returns the claims of a token this service signed, even if it expired or its key was replaced. Returns
   * `undefined` for any other text.
   */
  decode(token: string): Promise<AccessClaims | undefined>
  /** Replaces the signing key and returns the new `kid`. */
  rotateKey(): Promise<{ readonly kid: string }>
}

export function accessTokens(ports: Ports): AccessTokens {
  const { tokens, issuer, now, newId } = ports
  const keys = new KeyRing(ports)

  return {
    async sign(
      { id, user_id, client_id, audience },
      workspace_id,
      scopes,
      lifetimeSeconds = ACCESS_TOKEN_SECONDS,
    ) {
      const { kid, secret } = await keys.current()
      const iat = toUnixSeconds(now())
      const claims = {
        iss: issuer,
        aud: getAudienceUrl(audience, issuer),
        sub: user_id,
        jti: newId(),
        iat,
        exp: iat + lifetimeSeconds,
        workspace_id,
        client_id,
        service_scopes: scopes,
        grant_id: id,
      }
      return tokens.sign(claims, kid, secret)
    },
    async verify(token, audiences) {
      const claims = await verifySignature(token, (kid) => keys.getVerifyingSecret(kid))
      return claims ? parseClaims(claims, issuer, audiences, now()) : 'forged'
    },
    async decode(token) {
      const claims = await verifySignature(token, (kid) => keys.getAnySecret(kid))
      const parsed = claims && parseClaims(claims, issuer, ['interface', 'mcp'], undefined)
      return typeof parsed === 'object' ? parsed : undefined
    },
    async rotateKey() {
      const { kid } = await keys.rotate()
      return { kid }
    },
  }

  async function verifySignature(token: string, getSecret: KeyRing['getVerifyingSecret']) {
    const kid = tokens.readKeyId(token)
    const secret = kid === undefined ? undefined : await getSecret(kid)
    return secret && tokens.verify(token, secret)
  }
}

function toUnixSeconds(at: Instant): number {
  return Math.floor(Date.parse(at) / 1000)
}
