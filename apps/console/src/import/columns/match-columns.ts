import type { ImportKind } from '../can-import.ts'
import { foldHead } from '../fold-name.ts'
import { findAddressParts, findUsualNames, isExactFullName, isSameName } from './column-names.ts'
import { contactTarget, isAboutContact, isAddressKind } from './contact-names.ts'
import { isRepeatable, type Target } from './target.ts'

/** A label of fewer letters is in too many names. */
const MIN_LABEL_LENGTH = 3
/** Beside a label, they name something about the field. */
const ATTRIBUTES =
  /\b(labels?|types?|status|verified|opt|optin|optout|domain|rotulo|tipo|situacao|verificad[oa]|dominio)\b/

/** What a column may become. Of several columns, that of the lowest rank is taken, and then the first. */
interface Candidate {
  readonly target: Target
  readonly rank: number
}

type FindCandidates = (name: string, kind: ImportKind, targets: readonly Target[]) => readonly Candidate[]

/** Each goes before the next, for all columns. */
const WAYS: readonly FindCandidates[] = [findFields, findUsual, findContact, findLabelsWithin]

/**
 * Finds what each column becomes by its name: the labels and keys of custom fields, then the usual names, then
 * the words of the name. A target that takes one column goes to the most exact name.
 * @returns the id of a target for each column, undefined if nothing fits
 */
export function matchColumns(
  heads: readonly string[],
  kind: ImportKind,
  targets: readonly Target[],
): readonly (string | undefined)[] {
  const names = heads.map(foldHead)
  const matched: (string | undefined)[] = names.map(() => undefined)
  for (const find of WAYS)
    for (const { column, target } of sortCandidates(names, (name) => find(name, kind, targets))) {
      const isTaken = matched.includes(target.id) && !isRepeatable(target)
      if (matched[column] === undefined && !isTaken) matched[column] = target.id
    }
  return splitName(matched, names)
}

function sortCandidates(names: readonly string[], find: (name: string) => readonly Candidate[]) {
  return names
    .flatMap((name, column) => (name === '' ? [] : find(name).map((each) => ({ ...each, column }))))
    .toSorted((a, b) => a.rank - b.rank)
}

/** A name beside a last name is a first name, if no other column is. */
function splitName(
  matched: readonly (string | undefined)[],
  names: readonly string[],
): readonly (string | undefined)[] {
  const column = matched.indexOf('fullName')
  const isSplit = column >= 0 && matched.includes('lastName') && !matched.includes('firstName')
  return isSplit && !isExactFullName(names[column]!) ? matched.with(column, 'firstName') : matched
}

function findFields(name: string, _: ImportKind, targets: readonly Target[]): readonly Candidate[] {
  return targets.filter(isFirstOfField).flatMap((target): readonly Candidate[] => {
    const { label, key } = target.field
    if (isSameName(foldHead(label), name)) return [{ target, rank: 0 }]
    return isSameName(foldHead(key), name) ? [{ target, rank: 1 }] : []
  })
}

function findUsual(name: string, kind: ImportKind, targets: readonly Target[]): readonly Candidate[] {
  const withTarget = (rank: number, isMeant: (target: Target) => boolean): readonly Candidate[] => {
    const target = targets.find(isMeant)
    return target ? [{ target, rank }] : []
  }
  return [
    ...findUsualNames(name, kind).flatMap(({ of, rank }) => withTarget(rank, ({ id }) => id === of)),
    ...findAddressParts(name).flatMap(({ of, rank }) =>
      withTarget(rank, (target) => target.kind === 'address' && target.part === of),
    ),
  ]
}

function findContact(name: string, kind: ImportKind, targets: readonly Target[]): readonly Candidate[] {
  const contact = contactTarget(name, kind)
  return targets.filter(({ id }) => id === contact).map((target) => ({ target, rank: 0 }))
}

/** The fewer words stand beside the label, the more exact it is. */
function findLabelsWithin(name: string, _: ImportKind, targets: readonly Target[]): readonly Candidate[] {
  if (isAboutContact(name)) return []
  return targets.filter(isFirstOfField).flatMap((target): readonly Candidate[] => {
    const label = foldHead(target.field.label)
    if (label.length < MIN_LABEL_LENGTH || !` ${name} `.includes(` ${label} `)) return []
    const others = ` ${name} `.replace(` ${label} `, ' ').trim()
    if (ATTRIBUTES.test(others) || (target.kind === 'address' && !isAddressKind(others))) return []
    return [{ target, rank: others.split(' ').length }]
  })
}

/** The field itself, or the first part of an address. */
function isFirstOfField(target: Target): target is Extract<Target, { kind: 'field' | 'address' }> {
  return target.kind === 'field' || (target.kind === 'address' && target.part === 'street')
}
