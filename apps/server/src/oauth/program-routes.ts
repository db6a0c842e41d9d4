import type { Crm } from '@sales-crm/core'
import type { OAuthRoute } from './routes.ts'

/** The issuer `{base_url}/mcp`, for programs that register themselves. */
export function programRoutes(_crm: Pick<Crm, 'oauth'>, _issuer: string): readonly OAuthRoute[] {
  return []
}
