import { eventEntities, filterResponse, namedSchemas } from '@sales-crm/core/declarations'
import type * as v from 'valibot'

interface SchemaNode {
  readonly type: string
  readonly pipe?: readonly v.GenericSchema[]
  readonly wrapped?: v.GenericSchema
  readonly item?: v.GenericSchema
  readonly value?: v.GenericSchema
  readonly literal?: unknown
  readonly options?: readonly unknown[]
  readonly entries?: v.ObjectEntries
}

/** The names that the packages give to what is `Error` in the document. */
const OTHER_NAMES: Readonly<Record<string, string>> = { Error: 'ErrorResponse' }
/** Responses of endpoints that the client does not call. */
const UNUSED = ['App']
/** Of the receiver alone. */
const OF_EVENTS = ['PersonSnapshot', 'MemberSnapshot', 'UsageLog']

/** A module that does not compile unless the types of the packages are those of the schemas of responses. */
export function responseTypesModule(): string {
  const types = Object.entries(namedSchemas).filter(([name]) => !UNUSED.includes(name))
  const checks = types.map(([name, schema]) => {
    const door = OF_EVENTS.includes(name) ? 'Events' : 'Api'
    return check(name, `${door}.${OTHER_NAMES[name] ?? name}`, typeOf(schema))
  })
  const events = Object.entries(eventEntities).map(([entity, schema]) =>
    check(
      `event_${entity}`,
      `Extract<Events.WebhookDelivery, { readonly ${entity}: unknown }>['${entity}']`,
      typeOf(schema),
    ),
  )
  return `import type * as Api from '@sales-crm/client'
import type * as Events from '@sales-crm/webhooks'

type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
${[...checks, ...events].join('\n')}
`
}

function check(name: string, type: string, expected: string): string {
  return `export const ${name}: IsSame<${type}, ${expected}> = true`
}

/** The type of a response, with all properties readonly. */
function typeOf(schema: v.GenericSchema): string {
  if (schema === filterResponse) return 'Api.FilterTree'
  const { type, pipe, wrapped, item, value, literal, options, entries } = schema as SchemaNode
  if (pipe?.[0] && pipe[0] !== schema) return typeOf(pipe[0])
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'unknown':
      return type
    case 'literal':
      return JSON.stringify(literal)
    case 'picklist':
      return options!.map((option) => JSON.stringify(option)).join(' | ')
    case 'nullable':
      return `${typeOf(wrapped!)} | null`
    case 'exact_optional':
      return typeOf(wrapped!)
    case 'array':
      return `readonly (${typeOf(item!)})[]`
    case 'record':
      return `Readonly<Record<string, ${typeOf(value!)}>>`
    case 'union':
    case 'variant':
      return options!.map((option) => typeOf(option as v.GenericSchema)).join(' | ')
    case 'strict_object':
      return `{ ${Object.entries(entries!).map(typeOfProperty).join('; ')} }`
    default:
      throw new Error(`There is no type for the schema ${type}.`)
  }
}

function typeOfProperty([name, schema]: readonly [string, unknown]): string {
  const { type } = schema as SchemaNode
  return `readonly ${name}${type === 'exact_optional' ? '?' : ''}: ${typeOf(schema as v.GenericSchema)}`
}
