import type { CustomField, MemberListItem, Tag } from '@sales-crm/client'
import { optionsOf } from '../../records/facts/custom-values.ts'
import type { Target } from '../columns/target.ts'
import { foldName } from '../fold-name.ts'
import type { SheetRow } from '../sheet/sheet.ts'
import { type DayOrder, findDayOrder } from './read-date.ts'
import { decimalSign } from './read-number.ts'

/** What is known of the workspace, by the folded names that cells have. */
export interface ReadingContext {
  readonly decimal: ',' | '.'
  readonly memberIds: ReadonlyMap<string, string>
  readonly tagIds: ReadonlyMap<string, string>
  /** The keys of the options of each field. */
  readonly optionKeys: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Of each column. */
  readonly dayOrders: readonly DayOrder[]
}

export interface WorkspaceNames {
  readonly members: readonly MemberListItem[]
  readonly tags: readonly Tag[]
  readonly fields: readonly CustomField[]
  readonly locale: string
}

export function createReadingContext(
  { members, tags, fields, locale }: WorkspaceNames,
  targets: readonly (Target | undefined)[],
  rows: readonly SheetRow[],
): ReadingContext {
  return {
    decimal: decimalSign(locale),
    memberIds: new Map([
      ...members.map(({ id, name }) => [foldName(name), id] as const),
      ...members.map(({ id, email }) => [foldName(email), id] as const),
    ]),
    tagIds: new Map([
      ...tags.map(({ id, key }) => [foldName(key), id] as const),
      ...tags.map(({ id, name }) => [foldName(name), id] as const),
    ]),
    optionKeys: new Map(fields.map((field) => [field.key, mapOptions(field)])),
    dayOrders: targets.map((target, column) =>
      target?.kind === 'field' && target.field.type === 'date'
        ? findDayOrder(columnTexts(rows, column), locale)
        : 'dayFirst',
    ),
  }
}

function* columnTexts(rows: readonly SheetRow[], column: number): Iterable<string> {
  for (const { cells } of rows) yield cells[column] ?? ''
}

function mapOptions(field: CustomField): ReadonlyMap<string, string> {
  const options = optionsOf(field)
  return new Map([
    ...options.map(({ key }) => [foldName(key), key] as const),
    ...options.map(({ key, option }) => [foldName(option), key] as const),
  ])
}
