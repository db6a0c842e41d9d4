import type { Ports } from '../../ports/index.ts'
import { unsealSecret } from './webhook.ts'

/** Maximum number of cached secrets. */
const MAX_SECRETS = 1000

/**
 * Returns the unsealed signing secret.
 * @throws Error if it was sealed with another key or for another webhook
 */
export type GetWebhookSecret = (workspaceId: string, webhookId: string, sealed: string) => string

/** Caches unsealed secrets. The one opened first is evicted first. */
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
