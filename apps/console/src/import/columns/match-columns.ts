import type { ImportKind } from '../can-import.ts'
import { foldHead } from '../fold-name.ts'
import { ADDRESS_NAMES, columnNames, contactTarget } from './column-names.ts'
import { isRepeatable, type Target } from './target.ts'

/** A label of fewer letters is in too many names. */
const MIN_LABEL_LENGTH = 3

/**
 * Finds what each column becomes by its name: the labels and keys of custom fields, then the usual names, then the
 * words of the name. A target that takes one column goes to the first.
 * @returns the id of a target for each column, undefined if nothing fits
 */
export function matchColumns(
  heads: readonly string[],
  kind: ImportKind,
  targets: readonly Target[],
): readonly (string | undefined)[] {
  const names = heads.map(foldHead)
  const matched: (string | undefined)[] = names.map(() => undefined)
  const takenBy = new Set<string>()
  for (const findTarget of [
    (name: string) => matchField(name, targets),
    (name: string) => matchUsualName(name, kind, targets),
    (name: string) => matchWords(name, targets),
  ])
    for (const [column, name] of names.entries()) {
      if (matched[column] !== undefined || name === '') continue
      const target = findTarget(name)
      if (!target || (takenBy.has(target.id) && !isRepeatable(target))) continue
      takenBy.add(target.id)
      matched[column] = target.id
    }
  return matched
}

function matchField(name: string, targets: readonly Target[]): Target | undefined {
  return targets.find(
    (target) =>
      isFirstOfField(target) &&
      (foldHead(target.field.label) === name || foldHead(target.field.key) === name),
  )
}

function matchUsualName(name: string, kind: ImportKind, targets: readonly Target[]): Target | undefined {
  const known = Object.entries(columnNames(kind)).find(([, names]) => names.includes(name))
  if (known) return targets.find(({ id }) => id === known[0])
  const part = Object.entries(ADDRESS_NAMES).find(([, names]) => names.includes(name))
  return part && targets.find((target) => target.kind === 'address' && target.part === part[0])
}

function matchWords(name: string, targets: readonly Target[]): Target | undefined {
  const field = targets.find((target) => {
    if (!isFirstOfField(target)) return false
    const label = foldHead(target.field.label)
    return label.length >= MIN_LABEL_LENGTH && ` ${name} `.includes(` ${label} `)
  })
  if (field) return field
  const owner = targets.find(({ kind }) => kind === 'owner')
  if (/\b(owner|responsavel|vendedor)\b/.test(name)) return owner
  const contact = contactTarget(name)
  return targets.find(({ id }) => id === contact)
}

/** The field itself, or the first part of an address. */
function isFirstOfField(target: Target): target is Extract<Target, { kind: 'field' | 'address' }> {
  return target.kind === 'field' || (target.kind === 'address' && target.part === 'street')
}
