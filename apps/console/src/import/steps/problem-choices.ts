import { optionsOf } from '../../records/facts/custom-values.ts'
import type { Target } from '../columns/target.ts'
import type { Problem } from '../rows/problem.ts'
import type { WorkspaceNames } from '../rows/reading-context.ts'

interface Choice {
  readonly label: string
  /** The text that stands in place of the wrong one. */
  readonly value: string
}

/** What can be chosen in place of a name that is not in the workspace. */
export function listChoices(
  { column, reason }: Problem,
  columns: readonly (Target | undefined)[],
  { members, tags }: WorkspaceNames,
): readonly Choice[] {
  const target = column === undefined ? undefined : columns[column]
  switch (reason) {
    case 'noOption':
      return target?.kind === 'field'
        ? optionsOf(target.field).map(({ option }) => ({ label: option, value: option }))
        : []
    case 'noMember':
      return members.map(({ name, email }) => ({ label: name, value: email }))
    case 'noTag':
      return tags.map(({ name, key }) => ({ label: name, value: key }))
    default:
      return []
  }
}
