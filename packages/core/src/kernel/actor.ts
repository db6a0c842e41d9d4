import { insufficientScope } from './errors.ts'
import type { Role } from './role.ts'

/**
 * A member of one workspace acting through one app, with the scopes of its token. Obtained from
 * `Authentication` or from `crm.operator.actorFor`.
 */
export interface Actor {
  readonly workspaceId: string
  /** The id of the member and of its account: `owner_user_id` of the records it owns. */
  readonly userId: string
  /** The role when the actor was loaded. Each transaction checks the role of that moment. */
  readonly role: Role
  /**
   * The `client_id` of the app, or any text for a program that embeds the core. Webhooks and idempotency keys
   * belong to it.
   */
  readonly clientId: string
  /** Names such as `deals:read`, from `SCOPES`. */
  readonly scopes: ReadonlySet<string>
  /** Aborted once nobody waits for the result. Long reads then end early with an error; writes do not. */
  readonly signal?: CancelSignal | undefined
}

/** The part of an `AbortSignal` that stores use. */
export interface CancelSignal {
  readonly aborted: boolean
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
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
  'views',
] as const

export type Scope =
  | `${(typeof SCOPE_FAMILIES)[number]}:${'read' | 'write'}`
  | `members:${'read' | 'manage'}`
  | `webhooks:${'manage' | 'read'}`
  | `imports:${'read' | 'write' | 'manage'}`
  | 'workspace:manage'

/** Every scope an app can request. A `:write` scope does not imply `:read`. */
export const SCOPES: readonly string[] = [
  ...SCOPE_FAMILIES.flatMap((family) => [`${family}:read`, `${family}:write`] as const),
  'members:read',
  'members:manage',
  'webhooks:manage',
  'webhooks:read',
  'workspace:manage',
  'imports:read',
  'imports:write',
  'imports:manage',
] satisfies readonly Scope[]

/**
 * Checks that the actor's token has a scope.
 * @param orScope an alternative scope, which the error does not name
 * @throws CrmError `insufficient_scope`; TypeError for what is not an actor
 */
export function requireScope(actor: Actor, scope: string, orScope?: string): void {
  if (typeof actor?.scopes?.has !== 'function')
    throw new TypeError('The first argument must be an actor, as crm.operator.actorFor returns it.')
  const hasScope = actor.scopes.has(scope) || (orScope !== undefined && actor.scopes.has(orScope))
  if (!hasScope) throw insufficientScope(scope)
}
