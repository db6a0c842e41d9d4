import { recordApi } from '../../engine/crud.ts'
import type { Engine } from '../../engine/extension.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { isUuid } from '../../kernel/field-schemas.ts'
import { findTagId, tags } from './tag.ts'

/** Tags are addressed by their id or their key. */
export function tagApi(engine: Engine) {
  const records = recordApi(tags, engine)

  const api: typeof records = {
    ...records,
    get: async (actor, identifier, query) =>
      records.get(actor, await resolveTagId(actor, identifier, tags.scopes.read), query),
    getVersioned: async (actor, identifier, query) =>
      records.getVersioned(actor, await resolveTagId(actor, identifier, tags.scopes.read), query),
    update: async (actor, identifier, input, conditions) =>
      records.update(actor, await resolveTagId(actor, identifier, tags.scopes.write), input, conditions),
    updateIdempotent: async (actor, key, identifier, input, conditions) => {
      const id = await resolveTagId(actor, identifier, tags.scopes.write)
      return records.updateIdempotent(actor, key, id, input, conditions)
    },
    remove: async (actor, identifier, conditions) =>
      records.remove(actor, await resolveTagId(actor, identifier, tags.scopes.write), conditions),
  }
  return api

  /** Returns an unknown identifier unchanged: the use-case rejects it after its other checks. */
  async function resolveTagId(actor: Actor, identifier: string, scope: string): Promise<string> {
    requireScope(actor, scope)
    if (isUuid(identifier)) return identifier
    const id = await engine.storage.read((tx) => findTagId(identifier, inWorkspace(tx, actor)))
    return id ?? identifier
  }
}
