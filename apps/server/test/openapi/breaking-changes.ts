import { apiCompare } from 'api-smart-diff'

interface Diff {
  readonly type: string
  readonly action: string
  readonly path: readonly (string | number)[]
}

/**
 * What of the interface a change takes away, by where: `PATCH /v1/tags/{id}`, an event, or a schema. Values, fields and events that come
 * new break nobody, since the document says that they may.
 */
export function breakingChanges(before: object, after: object): readonly string[] {
  // It changes what it compares.
  const { diffs } = apiCompare(structuredClone(before), structuredClone(after)) as {
    readonly diffs: readonly Diff[]
  }
  return [...new Set(diffs.filter(isBreaking).map(locationOf))]
}

function isBreaking({ type, action, path }: Diff): boolean {
  const [part] = path
  const isField = path.at(-2) === 'properties'
  if (part === 'webhooks') return action === 'remove'
  // They count where operations use them, but for what only events hold.
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
