import { decodeHex, encodeHex } from '../../kernel/hex.ts'
import type { Instant } from '../../kernel/instant.ts'
import { decodeUtf8, encodeUtf8 } from '../../kernel/utf8.ts'
import type { Ports } from '../../ports/index.ts'

/** The log recognizes secrets by such a beginning. */
const PREFIX = 'crm_al_'
/** No other sealed value opens as a link. */
const CONTEXT = 'archive link'

/** What a link says, sealed and not stored. */
export interface LinkClaims {
  readonly workspaceId: string
  /** The owner who made the link. */
  readonly userId: string
  readonly expiresAt: Instant
}

/** The claims as a part of a path, of letters and digits alone. */
export function sealLink({ secrets }: Pick<Ports, 'secrets'>, claims: LinkClaims): string {
  const { workspaceId, userId, expiresAt } = claims
  const sealed = secrets.seal(encodeUtf8([workspaceId, userId, expiresAt].join(' ')), CONTEXT)
  return `${PREFIX}${encodeHex(encodeUtf8(sealed))}`
}

/** Returns undefined for what `sealLink` did not return under this secret key. */
export function openLink({ secrets }: Pick<Ports, 'secrets'>, token: string): LinkClaims | undefined {
  if (!token.startsWith(PREFIX)) return undefined
  const sealed = decodeHex(token.slice(PREFIX.length))
  if (!sealed) return undefined
  try {
    const [workspaceId = '', userId = '', expiresAt = ''] = decodeUtf8(
      secrets.open(decodeUtf8(sealed), CONTEXT),
    ).split(' ')
    return { workspaceId, userId, expiresAt }
  } catch {
    return undefined
  }
}
