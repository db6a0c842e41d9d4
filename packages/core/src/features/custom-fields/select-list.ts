import * as v from 'valibot'
import { key } from '../../kernel/field-schemas.ts'
import { listOf, object } from '../../kernel/object-schemas.ts'
import { singleLineText } from '../../kernel/text-schemas.ts'

/** The options of a select or multi_select, in display order. */
export const selectList = v.pipe(
  listOf(object({ key, option: singleLineText(1, 80) }), 1, 200, 'entries'),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const list = dataset.value
    const seenKeys = new Set<string>()
    for (const [index, entry] of list.entries()) {
      if (seenKeys.has(entry.key)) {
        const listItem = { type: 'array', origin: 'value', input: list, key: index, value: entry } as const
        const keyItem = {
          type: 'object',
          origin: 'value',
          input: { ...entry },
          key: 'key',
          value: entry.key,
        } as const
        addIssue({ message: 'Must be unique in the list.', path: [listItem, keyItem] })
      }
      seenKeys.add(entry.key)
    }
  }),
)
