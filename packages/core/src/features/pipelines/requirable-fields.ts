import { isKey } from '../../kernel/field-schemas.ts'
import { CUSTOM_PREFIX } from '../../schema/custom-field.ts'
import { fieldsOf } from '../../schema/responses.ts'
import type { StageType } from '../../schema/stage.ts'

/** A field of deals that may be empty, which a stage can require. */
export interface RequirableField {
  readonly column: string
  /** The name under which inputs have it. */
  readonly input: string
  /** The value that counts as none, besides null and an empty list. */
  readonly empty: unknown
  /** The kind of the record that the column names. */
  readonly kind?: string
}

/** The fields of deals that a stage can require, by their names, without custom ones. */
export const REQUIRABLE_FIELDS: ReadonlyMap<string, RequirableField> = new Map(
  fieldsOf('deals').flatMap(([name, field]): [string, RequirableField][] => {
    if (field.is === 'views' && field.column !== undefined)
      return [[name, { column: field.column, input: name, empty: null }]]
    if (field.is === 'reference' && field.need === 'clearable') {
      const [input = name] = Object.keys(field.inputs)
      return [[name, { column: field.column, input, empty: null, kind: field.kind }]]
    }
    if (field.is !== 'value' || (field.need !== 'clearable' && field.need !== 'resettable')) return []
    return [[name, { column: name, input: name, empty: field.initial ?? null }]]
  }),
)

/** They are empty in all other stages. */
const FIELDS_OF_LOST_DEALS: readonly string[] = ['lost_reason', 'lost_note']

/** True for a field that deals in a stage of the type can have. */
export function isFieldOfType(name: string, type: StageType): boolean {
  return type === 'lost' || !FIELDS_OF_LOST_DEALS.includes(name)
}

/** Returns the rule that a name breaks which a stage requires; undefined if there is none. */
export function findNameError(
  name: string,
  type: StageType,
  customKeys: ReadonlySet<string>,
): string | undefined {
  if (!isFieldOfType(name, type)) return `Must not name ${name}: only lost deals have it.`
  if (REQUIRABLE_FIELDS.has(name)) return undefined
  const key = readCustomKey(name)
  if (key !== undefined) return customKeys.has(key) ? undefined : 'Custom field not found.'
  return `Must be one of: ${[...REQUIRABLE_FIELDS.keys()].join(', ')}, ${CUSTOM_PREFIX}<key>.`
}

/** The key in the name of a custom field; undefined for other names. */
export function readCustomKey(name: string): string | undefined {
  if (!name.startsWith(CUSTOM_PREFIX)) return undefined
  const key = name.slice(CUSTOM_PREFIX.length)
  return isKey(key) ? key : undefined
}
