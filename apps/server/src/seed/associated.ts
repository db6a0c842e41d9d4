import type { RecordBase, Records } from '@sales-crm/core/ports'
import type { Labels, Making } from './making.ts'
import { type About, customValues } from './values.ts'

type Associated = Pick<Records['people'], 'tag_ids' | 'list_ids' | 'custom_values' | 'found_by'>

/** Some tags and lists, and most custom values. What the record is found by is left to `findable`. */
export function associated(making: Making, kind: keyof Labels['fields'], about: About): Associated {
  const { dice, labels } = making
  return {
    tag_ids: dice.some(labels.tags, 2),
    list_ids: dice.some(labels.lists, 1),
    custom_values: customValues(making, kind, about),
    found_by: '',
  }
}

export function findable<R extends RecordBase>({ foundBy }: { readonly foundBy: ((record: R) => string) | null }, record: R): R {
  return { ...record, found_by: foundBy!(record) }
}
