import { apiCompare } from 'api-smart-diff'

interface Diff {
  readonly type: string
  readonly action: string
  readonly path: readonly (string | number)[]
}

/**
 * Returns the locations of breaking changes: `PATCH /v1/tags/{id}`, an event, or a schema. New values, fields
 * and events are not breaking: the document allows them.
 */
export function breakingChanges(before: object, after: object): readonly string[] {
  // The library modifies its arguments.
  const { diffs } = apiCompare(toComparable(before), toComparable(after)) as {
    readonly diffs: readonly Diff[]
  }
  const breaking = diffs.filter((diff) => isBreaking(diff) && !takesAnyText(diff, after))
  return [...new Set(breaking.map(locationOf))]
}

/** True for a parameter whose list of values became a text: it takes more than before. */
function takesAnyText({ path }: Diff, after: object): boolean {
  const depth = path.indexOf('schema') + 1
  if (!path.includes('parameters') || !['enum', 'maxLength'].includes(String(path[depth]))) return false
  const schema = path.slice(0, depth).reduce<unknown>((part, name) => Object(part)[name], after)
  return !('enum' in Object(schema))
}

/**
 * A copy in which variants have names, since the library pairs those of a list by their likeness, and without defaults
 * of null, which a field that may be null has in any case.
 */
function toComparable(value: unknown): object {
  if (Array.isArray(value)) return value.map(copyPart)
  const entries = Object.entries(Object(value)).filter(([name, each]) => name !== 'default' || each !== null)
  return Object.fromEntries(
    entries.map(([name, each]) => [name, name === 'oneOf' ? nameVariants(each) : copyPart(each)]),
  )
}

function copyPart(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? toComparable(value) : value
}

function nameVariants(variants: unknown): object {
  const named = (variants as { readonly properties: { readonly kind: { readonly const: string } } }[]).map(
    (variant) => [variant.properties.kind.const, copyPart(variant)] as const,
  )
  return { properties: Object.fromEntries(named) }
}

function isBreaking({ type, action, path }: Diff): boolean {
  const [part] = path
  const isField = path.at(-2) === 'properties'
  if (part === 'webhooks') return action === 'remove'
  // Schemas are compared where operations use them; only removed fields of event schemas count here.
  if (part === 'components') return path[1] === 'schemas' && action === 'remove' && isField
  if (part !== 'paths') return false
  if (action === 'add' && path.includes('responses') && path.at(-2) === 'enum') return false
  return (
    type === 'breaking' ||
    (action === 'replace' && path.at(-1) === 'type') ||
    (action === 'remove' && isField)
  )
}

function locationOf({ path: [part, ...rest] }: Diff): string {
  if (part === 'webhooks') return String(rest[0])
  if (part === 'components') return `${rest[1]}.${rest.at(-1)}`
  const [path, method] = rest
  return method === undefined ? String(path) : `${String(method).toUpperCase()} ${path}`
}
