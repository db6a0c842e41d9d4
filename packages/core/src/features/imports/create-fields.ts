import { buildKey, buildNthKey } from '../../engine/key-from-title.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Ports } from '../../ports/index.ts'
import { isShown, type NewFieldTarget } from './columns/target.ts'
import { compactText } from './folded-text.ts'
import { buildOptions } from './rows/build-options.ts'

/** Makes a custom field, and returns its key. */
export type CreateField = (actor: Actor, input: object) => Promise<{ readonly key: string }>

const MAX_KEY_LENGTH = 35

/**
 * Makes the custom fields of columns, and returns their keys by column. One that is there, with the same label, type and
 * kind, is taken: the call may be a repeated one.
 * @throws CrmError what `createField` throws
 */
export async function createFields(
  actor: Actor,
  targets: readonly (readonly [column: number, target: NewFieldTarget])[],
  { storage }: Pick<Ports, 'storage'>,
  createField: CreateField,
): Promise<ReadonlyMap<number, string>> {
  const known = await storage.read((tx) => inWorkspace(tx, actor).stores.custom_fields.find([]))
  const taken = new Set(known.map(({ key }) => key))
  const keys = new Map<number, string>()
  for (const [column, { kind, type, label, options }] of targets) {
    const same = known.find(
      (field) =>
        field.type === type && isShown(field, kind) && compactText(field.label) === compactText(label),
    )
    const { key } =
      same ??
      (await createField(actor, {
        ...{ label, type, key: findFreeKey(label, taken) },
        ...(options && { value: { select_list: buildOptions(options) } }),
        ...{
          show_people: kind === 'people',
          show_companies: kind === 'companies',
          show_deals: kind === 'deals',
        },
      }))
    taken.add(key)
    keys.set(column, key)
  }
  return keys
}

function findFreeKey(label: string, taken: ReadonlySet<string>): string {
  const base = buildKey(label, MAX_KEY_LENGTH) || 'field'
  let nth = 1
  while (taken.has(buildNthKey(base, nth, MAX_KEY_LENGTH))) nth += 1
  return buildNthKey(base, nth, MAX_KEY_LENGTH)
}
