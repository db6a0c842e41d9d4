import { MEMBERS_SCOPE } from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import { ENTITIES, type Entity } from './entity.ts'

export type Scopes = ReadonlySet<string>

export type Verb = 'read' | 'write'

/** All scopes that tools can use, in the order of the challenge to a client without a token. */
export const TOOL_SCOPES: readonly string[] = [
  ...new Set([
    ...ENTITIES.flatMap((entity) => [RESOURCES[entity].scopes.read, RESOURCES[entity].scopes.write]),
    MEMBERS_SCOPE,
  ]),
]

export const ALL_TOOL_SCOPES: Scopes = new Set(TOOL_SCOPES)

export function scopesFor(entity: Entity, verbs: readonly Verb[]): readonly string[] {
  return verbs.map((verb) => RESOURCES[entity].scopes[verb])
}

/** Returns the entities on which the scopes allow all of `verbs`. */
export function allowedEntities(
  scopes: Scopes,
  entities: readonly Entity[],
  verbs: readonly Verb[],
): readonly Entity[] {
  return entities.filter((entity) => scopesFor(entity, verbs).every((scope) => scopes.has(scope)))
}
