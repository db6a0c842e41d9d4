import { MEMBERS_SCOPE } from '@sales-crm/core'
import { ENTITIES, ENTITY_DEFINITIONS, type Entity } from './entities.ts'

export type Scopes = ReadonlySet<string>

export type Verb = 'read' | 'write'

/** What tools as a whole can make use of, in the order in which a program that has no token is told to ask for it. */
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

/** The scopes that `verbs` on a kind of record take. */
export function scopesFor(entity: Entity, verbs: readonly Verb[]): readonly string[] {
  return verbs.map((verb) => ENTITY_DEFINITIONS[entity].scopes[verb])
}

/** Those of `among` on which all of `verbs` are allowed. */
export function allowedEntities(
  scopes: Scopes,
  entities: readonly Entity[],
  verbs: readonly Verb[],
): readonly Entity[] {
  return entities.filter((entity) => scopesFor(entity, verbs).every((scope) => scopes.has(scope)))
}
