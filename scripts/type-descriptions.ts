import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The parts of a schema that describe a type. */
export interface Description {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Description>>
}

interface Parameter extends Description {
  readonly name: string
}
interface Operation {
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly responses?: {
    readonly 200?: { readonly content?: Readonly<Record<string, { readonly schema: Reference }>> }
  }
}
interface Reference {
  readonly $ref: string
}
interface OpenApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Description>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

const DOCUMENT = join(import.meta.dirname, '../docs/openapi.json')

/** The schemas of the OpenAPI document by name, and its queries by the name of what they return: `DealQuery`. */
export function readTypeDescriptions(): Readonly<Record<string, Description>> {
  const { components, paths }: OpenApiDocument = JSON.parse(readFileSync(DOCUMENT, 'utf8'))
  const queries = Object.values(paths).flatMap(({ get }) => {
    const { schema } = get?.responses?.[200]?.content?.['application/json'] ?? {}
    const name = schema?.$ref
      ?.split('/')
      .at(-1)
      ?.replace(/(Page|Response)$/, '')
    const parameters = (get?.parameters ?? []).map((parameter) =>
      '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter,
    )
    const properties = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]))
    return name ? [[`${name}Query`, { properties }] as const] : []
  })
  // A single record has no query: the first of a name is that of its list.
  return {
    ...components.schemas,
    ErrorResponse: components.schemas['Error']!,
    ...Object.fromEntries(queries.reverse()),
  }
}
