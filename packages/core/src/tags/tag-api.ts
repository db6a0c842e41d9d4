import { type Actor, authorize } from '../actor.ts'
import type { Ports } from '../ports.ts'
import { isUuid } from '../records/fields.ts'
import { recordApi } from '../records/records.ts'
import { unitOf } from '../records/unit.ts'
import { tagIdNamed, tags } from './tag.ts'

/** Tags are addressed by their id or their key. */
export function tagApi(ports: Ports) {
  const records = recordApi(tags, ports)

  const api: typeof records = {
    ...records,
    get: async (actor, identifier) => records.get(actor, await idOf(actor, identifier, tags.scopes.read)),
    update: async (actor, identifier, input) => records.update(actor, await idOf(actor, identifier, tags.scopes.write), input),
    remove: async (actor, identifier) => records.remove(actor, await idOf(actor, identifier, tags.scopes.write)),
  }
  return api

  /** What names no tag is passed on: the use-case refuses it, after all that it refuses first. */
  async function idOf(actor: Actor, identifier: string, scope: string): Promise<string> {
    authorize(actor, scope)
    if (isUuid(identifier)) return identifier
    const id = await ports.storage.read((tx) => tagIdNamed(identifier, unitOf(tx, actor.workspaceId)))
    return id ?? identifier
  }
}
