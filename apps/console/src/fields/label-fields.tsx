import type { ComponentChild } from 'preact'
import { TagChip } from '../ui/chip.tsx'
import type { ShownField } from './field.ts'
import styles from './label-fields.module.css'

interface Labelled {
  readonly tags?: readonly { readonly id: string; readonly name: string; readonly color: string }[]
  readonly lists?: readonly { readonly id: string; readonly name: string }[]
}

/** The tags of a record, in a table. */
export const tagsColumn: ShownField<Labelled> = {
  ...{ type: 'shown', name: 'tags', label: ({ labels }) => labels.tags, include: 'tags' },
  render: ({ tags = [] }) => (
    <Chips>
      {tags.map(({ id, name, color }) => (
        <TagChip key={id} name={name} colour={color} />
      ))}
    </Chips>
  ),
}

/** The lists that a record is on, in a table. */
export const listsColumn: ShownField<Labelled> = {
  ...{ type: 'shown', name: 'lists', label: ({ labels }) => labels.lists, include: 'lists' },
  render: ({ lists = [] }) => (
    <Chips>
      {lists.map(({ id, name }) => (
        <TagChip key={id} name={name} />
      ))}
    </Chips>
  ),
}

function Chips({ children }: { readonly children: readonly ComponentChild[] }) {
  return children.length === 0 ? '—' : <span class={styles.chips}>{children}</span>
}
