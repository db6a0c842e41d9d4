import type { Ports } from '../../ports/index.ts'
import { unsealSecret } from './webhook.ts'

/** Secrets that stay open from one claim to the next. */
const MAX_SECRETS = 1000

/** Gives what deliveries are signed with. @throws Error when it was sealed under another key or for something else */
export type GetWebhookSecret = (workspaceId: string, webhookId: string, sealed: string) => string

/** Opens a secret once, as long as few others were opened since. */
export function webhookSecretCache(secrets: Ports['secrets']): GetWebhookSecret {
  const cache = new Map<string, string>()
  return (workspaceId, webhookId, sealed) => {
    const cacheKey = `${workspaceId} ${webhookId} ${sealed}`
    const cached = cache.get(cacheKey)
    if (cached !== undefined) return cached
    const secret = unsealSecret(secrets, workspaceId, webhookId, sealed)
    cache.set(cacheKey, secret)
    if (cache.size > MAX_SECRETS) cache.delete(cache.keys().next().value!)
    return secret
  }
}
