/** What task types, tags and lists have in common for their pages. */
export interface Label {
  readonly id: string
  readonly name: string
  /** `#rrggbb`; undefined if the kind has no colour. */
  readonly colour?: string
  /** Undefined if the kind has no description. */
  readonly description?: string
  /** Stands at the end of the row. */
  readonly note?: string
}

export type LabelChanges = Partial<Pick<Label, 'name' | 'colour' | 'description'>>

/** A kind of label: its records, its calls, and what the role of the member allows. */
export interface LabelKind {
  readonly maxNameLength: number
  readonly hasColour: boolean
  readonly hasDescription: boolean
  /** The field of the API that holds the name. */
  readonly nameField: 'name' | 'title'
  readonly canDelete: boolean
  create(label: Required<LabelChanges>): Promise<unknown>
  update(id: string, changes: LabelChanges): Promise<unknown>
  delete(id: string): Promise<void>
  /** The fields of the API that the changes set. */
  toFields(changes: LabelChanges): object
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
