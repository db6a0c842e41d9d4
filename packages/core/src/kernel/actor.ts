import { insufficientScope } from './errors.ts'
import type { Role } from './role.ts'

/** Who acts: a member of one workspace, through one app, as far as the token's scopes reach. */
export interface Actor {
  readonly workspaceId: string
  readonly userId: string
  readonly role: Role
  readonly clientId: string
  readonly scopes: ReadonlySet<string>
}

const SCOPE_FAMILIES = [
  'people',
  'companies',
  'deals',
  'tasks',
  'activities',
  'products',
  'tags',
  'lists',
  'custom_fields',
] as const

/** Every scope an app can ask for. A `:write` scope does not imply `:read`. */
export const SCOPES: readonly string[] = [
  ...SCOPE_FAMILIES.flatMap((family) => [`${family}:read`, `${family}:write`]),
  'members:read',
  'webhooks:manage',
  'webhooks:read',
]

/** @param orScope another that will do, and that a refusal does not name. @throws CrmError `insufficient_scope` */
export function requireScope(actor: Actor, scope: string, orScope?: string): void {
  const hasScope = actor.scopes.has(scope) || (orScope !== undefined && actor.scopes.has(orScope))
  if (!hasScope) throw insufficientScope(scope)
}
