import type { Candidate } from './candidates.ts'
import type { Column } from './column.ts'
import { columnOf } from './column-kind.ts'
import { isExactFullName } from './field-names.ts'
import { IMPORT_KINDS, type ImportKind } from './import-kind.ts'
import { type FieldTarget, isRepeatable } from './target.ts'

/** A column with the fields that it may become. */
export interface MatchedColumn {
  readonly column: Column
  readonly candidates: readonly Candidate[]
}

/** The field of a column, or another column that has the one it would become. */
export type Assignment = { readonly candidate: Candidate } | { readonly takenBy: Column } | undefined

/** The fields by which a record is told from others of its kind. */
const IDENTIFYING: Readonly<Partial<Record<ImportKind, RegExp>>> = {
  people: /^(?:full_name|first_name|last_name|external_id|emails:.*)$/,
  companies: /^(?:full_name|external_id)$/,
  deals: /^(?:name|external_id)$/,
  products: /^(?:name|code|external_id)$/,
}
/** Two of them make a deal, even without a name. */
const DEAL_FIELDS = /^(?:amount|stage|pipeline)$/

/** Finds the kinds of which a row has a record. */
export function findRecordKinds(
  columns: readonly MatchedColumn[],
  mainKind: ImportKind,
): ReadonlySet<ImportKind> {
  const targets = columns.flatMap(({ candidates }) => candidates.map(({ target }) => target))
  const hasAny = (kind: ImportKind) =>
    targets.some((target) => target.kind === kind && IDENTIFYING[kind]?.test(target.field))
  const dealFields = new Set(
    targets.filter((target) => target.kind === 'deals' && isOfDeal(target)).map(({ field }) => field),
  )
  const kinds = IMPORT_KINDS.filter((kind) => hasAny(kind) || (kind === 'deals' && dealFields.size > 1))
  return new Set([mainKind, ...kinds, 'activities'])
}

/** True for what a deal has and other records have not. All have a time of creation. */
function isOfDeal(target: FieldTarget): boolean {
  return DEAL_FIELDS.test(target.field) || (columnOf(target) === 'instant' && target.field !== 'created_at')
}

/** Gives each field to the column with the most exact name for it, and a field that holds a list to all. */
export function assignColumns(columns: readonly MatchedColumn[]): readonly Assignment[] {
  const sorted = columns
    .flatMap(({ column, candidates }, index) => candidates.map((candidate) => ({ column, candidate, index })))
    .toSorted((a, b) => a.candidate.rank - b.candidate.rank)
  const owners = new Map<string, Column>()
  const assigned = new Map<number, Assignment>()
  for (const { column, candidate, index } of sorted) {
    const before = assigned.get(index)
    if (before && 'candidate' in before) continue
    const key = `${candidate.target.kind} ${candidate.target.field}`
    const owner = isRepeatable(candidate.target) ? undefined : owners.get(key)
    if (owner) assigned.set(index, before ?? { takenBy: owner })
    else {
      owners.set(key, column)
      assigned.set(index, { candidate })
    }
  }
  return splitName(
    columns.map((_, index) => assigned.get(index)),
    columns,
  )
}

/** A name beside a last name is a first name, if no other column is, and `Full name` is none. */
function splitName(
  assignments: readonly Assignment[],
  columns: readonly MatchedColumn[],
): readonly Assignment[] {
  const hasField = (field: string) => assignments.some((each) => isPersonField(each, field))
  if (!hasField('last_name') || hasField('first_name')) return assignments
  const index = columns.findIndex(
    ({ column, candidates }, at) =>
      candidates.some(({ target }) => target.kind === 'people' && target.field === 'full_name') &&
      !isExactFullName(column.rest) &&
      (isPersonField(assignments[at], 'full_name') || isTaken(assignments[at])),
  )
  if (index < 0) return assignments
  const candidate = { target: { kind: 'people', field: 'first_name' }, rank: 0 } as const
  return assignments.with(index, { candidate })
}

function isPersonField(assignment: Assignment, field: string): boolean {
  if (!assignment || !('candidate' in assignment)) return false
  const { target } = assignment.candidate
  return target.kind === 'people' && target.field === field
}

function isTaken(assignment: Assignment): boolean {
  return assignment !== undefined && 'takenBy' in assignment
}
