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
  const { diffs } = apiCompare(structuredClone(before), structuredClone(after)) as {
    readonly diffs: readonly Diff[]
  }
  return [...new Set(diffs.filter(isBreaking).map(locationOf))]
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
