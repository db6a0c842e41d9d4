import fc from 'fast-check'

/** The part of a JSON schema from which inputs are made. */
export interface InputSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly InputSchema[]
  readonly oneOf?: readonly InputSchema[]
  readonly properties?: Readonly<Record<string, InputSchema>>
  readonly required?: readonly string[]
  readonly items?: InputSchema
  readonly format?: string
  readonly minimum?: number
}

/** What a string may be, by the name and the format of its field. */
export type PickStrings = (name: string, format: string | undefined) => readonly string[]

const MAX_DEPTH = 5
/** Of two equal calls, the second would be refused. */
const UNIQUE_FIELDS: ReadonlySet<string> = new Set(['external_ids', 'external_id', 'key'])

/** Makes inputs that mostly fit a schema. Optional fields are there in half of them. */
export function inputsOf(
  schema: InputSchema,
  definitions: Readonly<Record<string, InputSchema>>,
  pickStrings: PickStrings,
): fc.Arbitrary<unknown> {
  function build(part: InputSchema, name: string, depth: number): fc.Arbitrary<unknown> {
    if (part.$ref !== undefined) return build(definitions[part.$ref.split('/').at(-1)!]!, name, depth)
    if (part.const !== undefined) return fc.constant(part.const)
    if (part.enum) return fc.constantFrom(...part.enum)
    const choices = part.anyOf ?? part.oneOf
    if (choices) return fc.oneof(...choices.map((choice) => build(choice, name, depth)))
    const types = [part.type ?? (part.properties ? 'object' : 'string')].flat()
    return fc.oneof(...types.map((type) => buildType(type, part, name, depth)))
  }
  function buildType(type: string, part: InputSchema, name: string, depth: number): fc.Arbitrary<unknown> {
    switch (type) {
      case 'object': {
        const properties = Object.entries(part.properties ?? {}).filter(
          ([field]) => !UNIQUE_FIELDS.has(field),
        )
        const fields = properties.map(([field, each]) => [field, build(each, field, depth + 1)] as const)
        return fc.record(depth > MAX_DEPTH ? {} : Object.fromEntries(fields), {
          requiredKeys: (part.required ?? []).filter((field) => !UNIQUE_FIELDS.has(field)),
        } as never)
      }
      case 'array':
        return fc.array(build(part.items ?? {}, name, depth + 1), { minLength: 1, maxLength: 2 })
      case 'integer':
      case 'number':
        return fc.constantFrom(part.minimum ?? 0, 1, 20)
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      default:
        return fc.constantFrom(...pickStrings(name, part.format))
    }
  }
  return build(schema, '', 0)
}
