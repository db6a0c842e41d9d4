import * as v from 'valibot'
import type { ListOrder, ListOrderParameters } from '../../engine/list-query.ts'
import { throwIfErrors } from '../../engine/validate.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import { jsonSchema } from '../../kernel/text-schemas.ts'
import type { NamedSortKey } from '../../ports/index.ts'
import { CUSTOM_PREFIX } from '../../schema/custom-field.ts'
import { KINDS, type KindName } from '../../schema/index.ts'
import { isCustomFieldKind } from '../custom-fields/custom-values.ts'
import { buildLinkedKey, listLinkedOrders } from '../linked-records/linked-order.ts'
import { type FilterType, findCustomFilterField, listFilterFields } from './filter-fields.ts'

const DIRECTIONS = ['asc', 'desc']
const [DEFAULT_FIELD, DEFAULT_DIRECTION] = ['created_at', 'desc']
const PAIRS = DIRECTIONS.flatMap((first) => DIRECTIONS.map((second) => `${first},${second}`))
/** Of two fields with the longest keys. */
const MAX_LENGTH = 255

/** Orders lists of a kind by one or two of its fields, custom ones included. */
export function fieldOrder(kind: KindName): ListOrder {
  const names = listOrderNames(kind)
  const isKnown = (name: string) =>
    names.includes(name) || (isCustomFieldKind(kind) && name.startsWith(CUSTOM_PREFIX))
  const choices = [...names, ...(isCustomFieldKind(kind) ? [`${CUSTOM_PREFIX}<key>`] : [])]
  return {
    names: choices,
    order_by: v.pipe(
      v.string('Must be a string.'),
      v.maxLength(MAX_LENGTH, `Must be at most ${MAX_LENGTH} characters.`),
      v.check((text) => text.split(',').every(isKnown), `Must be one of: ${choices.join(', ')}.`),
      v.check(hasAtMostTwo, 'Must name at most two fields.'),
      v.check(hasDistinctNames, 'Must name two different fields.'),
      jsonSchema({ type: 'string', maxLength: MAX_LENGTH, default: DEFAULT_FIELD }),
    ),
    order: v.pipe(
      v.string('Must be a string.'),
      v.check(
        (text) => text.split(',').every((direction) => DIRECTIONS.includes(direction)),
        'Must be one of: asc, desc.',
      ),
      v.check(hasAtMostTwo, 'Must have at most two directions.'),
      jsonSchema({ type: 'string', enum: [...DIRECTIONS, ...PAIRS], default: DEFAULT_DIRECTION }),
    ),
    resolve: (parameters, transaction) => resolveOrder(kind, parameters, transaction),
  }
}

/** The plain fields by which lists of a kind are ordered: those that filters compare, as far as they have an order. */
function listOrderNames(kind: KindName): readonly string[] {
  const { orderBy } = KINDS[kind] as { readonly orderBy?: readonly string[] }
  const sortable = [...listFilterFields(kind)].filter(
    ([, { type, activityLink }]) => activityLink === undefined && ORDERED_TYPES.includes(type),
  )
  return [...new Set([...(orderBy ?? []), ...sortable.map(([name]) => name), ...listLinkedOrders(kind)])]
}

const ORDERED_TYPES: readonly FilterType[] = ['text', 'number', 'time', 'choice']

function hasAtMostTwo(text: string): boolean {
  return text.split(',').length <= 2
}

function hasDistinctNames(text: string): boolean {
  const names = text.toLowerCase().split(',')
  return new Set(names).size === names.length
}

/** @throws CrmError `validation_error` */
async function resolveOrder(
  kind: KindName,
  { order_by = DEFAULT_FIELD, order = DEFAULT_DIRECTION }: ListOrderParameters,
  transaction: ViewTransaction,
): Promise<NamedSortKey & { readonly thenBy?: NamedSortKey }> {
  const errors = new Map<string, string>()
  const names = order_by.split(',')
  const directions = order.split(',') as NamedSortKey['order'][]
  if (directions.length > names.length)
    errors.set('order', 'Must have as many directions as there are fields.')
  const keys: NamedSortKey[] = []
  for (const [index, name] of names.entries()) {
    const direction = directions[index] ?? directions[0]!
    const linked = listLinkedOrders(kind).find((each) => each === name)
    const key = linked
      ? await buildLinkedKey(kind, linked, transaction)
      : name.startsWith(CUSTOM_PREFIX)
        ? await findCustomKey(kind, name.slice(CUSTOM_PREFIX.length), transaction)
        : { order_by: name }
    if (typeof key === 'string') errors.set('order_by', key)
    else keys.push({ ...key, order: direction })
  }
  throwIfErrors(errors, { order_by, order })
  const [first, thenBy] = keys
  return { ...first!, ...(thenBy && { thenBy }) }
}

/** Returns the rule that the name breaks if there is no such field, or none with an order. */
async function findCustomKey(
  kind: KindName,
  key: string,
  transaction: ViewTransaction,
): Promise<Omit<NamedSortKey, 'order'> | string> {
  const field = await findCustomFilterField(kind, key, transaction)
  if (!field) return `Unknown field: ${CUSTOM_PREFIX}${key}.`
  const type = MEMBER_TYPES[field.type]
  if (!type) return `Lists cannot be ordered by ${CUSTOM_PREFIX}${key}: its values have no order.`
  return { order_by: field.column, member: { name: field.custom!.id, type } }
}

const MEMBER_TYPES: { readonly [T in FilterType]?: 'number' | 'text' } = {
  ...{ text: 'text', day: 'text', choice: 'text', number: 'number' },
}
