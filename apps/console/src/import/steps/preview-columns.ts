import type { Console } from '../../app/console-context.ts'
import { formatCustomValue } from '../../records/facts/custom-values.ts'
import { isPartOfName, type Target } from '../columns/target.ts'
import type { Draft } from '../rows/draft.ts'
import type { WorkspaceNames } from '../rows/reading-context.ts'
import { shortLabel } from '../target-label.ts'
import type { ImportTexts } from '../texts-en.ts'

export interface PreviewColumn {
  readonly label: string
  readonly format: (draft: Draft) => string
}

type Formats = Pick<Console, 'texts' | 'dates' | 'formatNumber'>

/** The fields that the columns of a file become, each once. */
export function listPreviewColumns(
  columns: readonly (Target | undefined)[],
  names: WorkspaceNames,
  texts: ImportTexts,
  formats: Formats,
): readonly PreviewColumn[] {
  const shown = new Map<string, PreviewColumn>()
  for (const target of columns) {
    if (!target) continue
    const label = isPartOfName(target)
      ? texts.shortTargets.name
      : target.kind === 'address'
        ? target.field.label
        : shortLabel(target, texts, formats.texts)
    if (!shown.has(label)) shown.set(label, { label, format: createFormat(target, names, formats) })
  }
  return [...shown.values()]
}

function createFormat(target: Target, names: WorkspaceNames, formats: Formats): PreviewColumn['format'] {
  switch (target.kind) {
    case 'fullName':
    case 'firstName':
    case 'middleName':
    case 'lastName':
      return ({ fullName }) => fullName ?? ''
    case 'email':
      return ({ emails = [] }) => emails.map(({ email }) => email).join(', ')
    case 'phone':
      return ({ phones = [] }) => phones.map(({ phone }) => phone).join(', ')
    case 'owner':
      return ({ ownerId }) => names.members.find(({ id }) => id === ownerId)?.name ?? ''
    case 'tags':
      return ({ tagIds = [] }) =>
        tagIds.map((tagId) => names.tags.find(({ id }) => id === tagId)?.name).join(', ')
    case 'field':
    case 'address':
      return ({ custom }) => {
        const value = custom?.[target.field.key]
        return value === undefined ? '' : formatCustomValue(target.field, value, formats)
      }
    default: {
      const { kind } = target
      return (draft) => draft[kind] ?? ''
    }
  }
}
