import { MEMBERS_SCOPE } from '@sales-crm/core'
import { ENTITIES, ENTITY_DEFINITIONS, type Entity } from './entities.ts'

export type Scopes = ReadonlySet<string>

export type Verb = 'read' | 'write'

/** All scopes that tools can use, in the order of the challenge to a client without a token. */
export const TOOL_SCOPES: readonly string[] = [
  ...new Set([
    ...ENTITIES.flatMap((entity) => [
      ENTITY_DEFINITIONS[entity].scopes.read,
      ENTITY_DEFINITIONS[entity].scopes.write,
    ]),
    MEMBERS_SCOPE,
  ]),
]

export const ALL_TOOL_SCOPES: Scopes = new Set(TOOL_SCOPES)

export function scopesFor(entity: Entity, verbs: readonly Verb[]): readonly string[] {
  return verbs.map((verb) => ENTITY_DEFINITIONS[entity].scopes[verb])
}

/** Returns the entities on which the scopes allow all of `verbs`. */
export function allowedEntities(
  scopes: Scopes,
  entities: readonly Entity[],
  verbs: readonly Verb[],
): readonly Entity[] {
  return entities.filter((entity) => scopesFor(entity, verbs).every((scope) => scopes.has(scope)))
}
