import { compactText } from '../folded-text.ts'
import { type FieldNames, match } from './common-field-names.ts'
import { COMPANIES, PEOPLE } from './contact-field-names.ts'
import type { ImportKind } from './import-kind.ts'
import { ACTIVITIES, DEALS, PRODUCTS, TASKS } from './sales-field-names.ts'

const KINDS: Readonly<Record<ImportKind, FieldNames>> = {
  people: PEOPLE,
  companies: COMPANIES,
  deals: DEALS,
  products: PRODUCTS,
  tasks: TASKS,
  activities: ACTIVITIES,
}

/** A note becomes an activity of the record. */
const NOTES = match(
  ...['note', 'notes', 'comment', 'comments', 'remarks', 'obs', 'observação', 'observações', 'nota', 'notas'],
  ...['anotação', 'anotações', 'comentário', 'comentários'],
)

/** A field that columns of a name usually are, and how exact the name is: 0 is the most exact. */
export interface UsualField {
  readonly field: string
  readonly rank: number
}

/**
 * Finds the fields of a kind that columns of this name usually are.
 * @param isOfKind true if the column is one of the kind, and not of another kind in the same row
 */
export function findUsualFields(name: string, kind: ImportKind, isOfKind: boolean): readonly UsualField[] {
  // The first of several is what a single one would be.
  const names = [compactText(name), compactText(name.replace(/ 1(?= |$)/, ''))]
  return Object.entries(KINDS[kind]).flatMap(([field, ranks]) => {
    const rank = ranks.findIndex(
      (each) => (isOfKind || !each.isOwn) && names.some((one) => each.names.has(one)),
    )
    return rank < 0 ? [] : [{ field, rank }]
  })
}

/** True for a name that means the full name whatever stands beside it. */
export function isExactFullName(name: string): boolean {
  return PEOPLE['full_name']![0]!.names.has(compactText(name))
}

export function isNoteName(name: string): boolean {
  return NOTES.names.has(compactText(name))
}
