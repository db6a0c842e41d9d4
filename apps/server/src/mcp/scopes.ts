import { MEMBERS_SCOPE } from '@sales-crm/core'
import { ENTITIES, type Entity, KINDS } from './kinds.ts'

export type Scopes = ReadonlySet<string>

export type Verb = 'read' | 'write'

/** What tools as a whole can make use of, in the order in which a program that has no token is told to ask for it. */
export const TOOL_SCOPES: readonly string[] = [
  ...new Set([...ENTITIES.flatMap((entity) => [KINDS[entity].scopes.read, KINDS[entity].scopes.write]), MEMBERS_SCOPE]),
]

export const ALL_TOOL_SCOPES: Scopes = new Set(TOOL_SCOPES)

/** The scopes that `verbs` on a kind of record take. */
export function scopesFor(entity: Entity, verbs: readonly Verb[]): readonly string[] {
  return verbs.map((verb) => KINDS[entity].scopes[verb])
}

/** Those of `among` on which all of `verbs` are allowed. */
export function openTo(scopes: Scopes, among: readonly Entity[], verbs: readonly Verb[]): readonly Entity[] {
  return among.filter((entity) => scopesFor(entity, verbs).every((scope) => scopes.has(scope)))
}
