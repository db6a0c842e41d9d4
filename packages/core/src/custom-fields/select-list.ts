import * as v from 'valibot'
import { key, line, listOf, object } from '../records/fields.ts'

export interface SelectOption {
  readonly key: string
  readonly option: string
}

/** The options of a select or multi_select, in the order they are offered. */
export const selectList = v.pipe(
  listOf(object({ key, option: line(1, 80) }), 1, 200, 'entries'),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const list = dataset.value
    const seen = new Set<string>()
    for (const [index, entry] of list.entries()) {
      if (seen.has(entry.key)) {
        const at = { type: 'array', origin: 'value', input: list, key: index, value: entry } as const
        const within = { type: 'object', origin: 'value', input: { ...entry }, key: 'key', value: entry.key } as const
        addIssue({ message: 'Must be unique in the list.', path: [at, within] })
      }
      seen.add(entry.key)
    }
  }),
)
