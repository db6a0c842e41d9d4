import * as v from 'valibot'
import { jsonSchema } from '../kernel/text-schemas.ts'
import { utf8Length } from '../kernel/utf8.ts'
import { type FilterTree, readFilterTree } from './filter-tree.ts'

/** Bytes of a filter that is sent as text. */
const MAX_FILTER_BYTES = 4096

/** A filter as an object, or as JSON in a query string. */
export const filterParameter = v.pipe(
  v.unknown(),
  jsonSchema({ type: 'string' }),
  createReader((value, errors) => (typeof value === 'string' ? parseJson(value, errors) : value)),
) as v.GenericSchema<FilterTree | string, FilterTree>

/** A filter as an object. */
export const filterInput = v.pipe(
  v.unknown(),
  jsonSchema({ type: 'object', additionalProperties: true }),
  createReader((value) => value),
) as v.GenericSchema<FilterTree, FilterTree>

function createReader(parse: (value: unknown, errors: Map<string, string>) => unknown) {
  return v.rawTransform<unknown, FilterTree>(({ dataset, addIssue, NEVER }) => {
    const errors = new Map<string, string>()
    const input = parse(dataset.value, errors)
    const tree = errors.size === 0 ? readFilterTree(input, '', errors) : undefined
    for (const [path, message] of errors) addIssue({ message, path: toIssuePath(path) })
    return tree ?? NEVER
  })
}

function parseJson(text: string, errors: Map<string, string>): unknown {
  if (utf8Length(text) > MAX_FILTER_BYTES) errors.set('', `Must have at most ${MAX_FILTER_BYTES} bytes.`)
  else
    try {
      return JSON.parse(text)
    } catch {
      errors.set('', 'Must be JSON.')
    }
  return undefined
}

type IssuePath = NonNullable<v.BaseIssue<unknown>['path']>

/** @param path such as `.and[1].op` */
function toIssuePath(path: string): IssuePath | undefined {
  const keys = path.match(/[^.[\]]+/g) ?? []
  if (keys.length === 0) return undefined
  return keys.map((key) => ({
    ...{ type: 'object', origin: 'value', input: {}, value: undefined },
    key: /^\d+$/.test(key) ? Number(key) : key,
  })) as unknown as IssuePath
}
