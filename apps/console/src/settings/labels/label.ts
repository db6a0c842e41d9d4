import type { CrmClient } from '@sales-crm/client'
import type { IconName } from '../../ui/icons.tsx'

/** What task types, tags and lists have in common for their pages. */
export interface Label {
  readonly id: string
  readonly name: string
  /** `#rrggbb`; undefined if the kind has no colour. */
  readonly colour?: string | undefined
  /** Undefined if the kind has no description. */
  readonly description?: string | undefined
  /** Stands at the end of the row. */
  readonly note?: string
}

export type LabelChanges = Partial<Pick<Label, 'name' | 'colour' | 'description'>>

/** A kind of label. */
export interface LabelKind {
  /** Its calls at the client, and its texts. */
  readonly name: 'taskTypes' | 'tags' | 'lists'
  /** The field of the API that holds the name. */
  readonly nameField: 'name' | 'title'
  readonly maxNameLength: number
  /** What a label has beside its name. */
  readonly has: 'colour' | 'description'
  readonly path: string
  readonly icon: IconName
  /** True if a member may change nothing in it. */
  readonly isForAdmins?: boolean
}

export const LABEL_KINDS: readonly LabelKind[] = [
  {
    ...{ name: 'taskTypes', path: '/settings/task-types', icon: 'tasks', isForAdmins: true },
    ...{ nameField: 'title', maxNameLength: 60, has: 'colour' },
  },
  {
    ...{ name: 'tags', path: '/settings/tags', icon: 'tag' },
    ...{ nameField: 'name', maxNameLength: 60, has: 'colour' },
  },
  {
    ...{ name: 'lists', path: '/settings/lists', icon: 'list' },
    ...{ nameField: 'name', maxNameLength: 80, has: 'description' },
  },
]

/** A task type, a tag or a list, as the API returns it. */
export interface LabelRecord {
  readonly id: string
  readonly name?: string
  readonly title?: string
  readonly color?: string
  readonly description?: string | null
  readonly key?: string
  readonly records_count?: number
}

interface LabelCalls {
  create(input: object): Promise<unknown>
  update(id: string, changes: object): Promise<unknown>
  delete(id: string): Promise<void>
}

/** The calls of a kind, which take the fields of `toFields`. */
export function labelCalls(crm: CrmClient, { name }: LabelKind): LabelCalls {
  return crm[name] as LabelCalls
}

export function toLabel(
  { nameField, has }: LabelKind,
  record: LabelRecord,
  describeCount: (count: number) => string,
): Label {
  const { id, key = '', color, description, records_count } = record
  return {
    ...{ id, name: record[nameField] ?? '' },
    ...{ colour: color, description: has === 'description' ? (description ?? '') : undefined },
    note: records_count === undefined ? key : describeCount(records_count),
  }
}

/** The fields of the API that the changes set. */
export function toFields({ nameField }: LabelKind, { name, colour, description }: LabelChanges): object {
  return {
    ...(name !== undefined && { [nameField]: name }),
    ...(colour !== undefined && { color: colour }),
    ...(description !== undefined && { description: description || null }),
  }
}

export const DEFAULT_COLOUR = '#6b7280'

export const COLOURS = [
  DEFAULT_COLOUR,
  '#be123c',
  '#c2410c',
  '#b45309',
  '#15803d',
  '#0f766e',
  '#1d4ed8',
  '#7c3aed',
] as const

/** The value before a change, to take it back. */
export function invertChanges(label: Label, changes: LabelChanges): LabelChanges {
  return {
    ...(changes.name !== undefined && { name: label.name }),
    ...(changes.colour !== undefined && label.colour !== undefined && { colour: label.colour }),
    ...(changes.description !== undefined && { description: label.description ?? '' }),
  }
}

export function sortLabels(labels: readonly Label[], language: string): readonly Label[] {
  const { compare } = new Intl.Collator(language, { numeric: true })
  return labels.toSorted((a, b) => compare(a.name, b.name))
}

/** The labels whose name or description contains a text. */
export function filterLabels(labels: readonly Label[], search: string): readonly Label[] {
  const words = fold(search)
  return words === ''
    ? labels
    : labels.filter(({ name, description = '' }) => fold(`${name} ${description}`).includes(words))
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
