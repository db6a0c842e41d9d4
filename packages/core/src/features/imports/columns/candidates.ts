import { compactText, foldHeader } from '../folded-text.ts'
import { findAddressParts } from './address-names.ts'
import type { Column } from './column.ts'
import { hasAttribute, isConsent, isDerived } from './column-topics.ts'
import {
  applyLabel,
  type ContactField,
  findContactField,
  isAboutContact,
  isAddressKind,
} from './contact-words.ts'
import { findUsualFields, isNoteName } from './field-names.ts'
import { CUSTOM_KINDS, type ImportKind, isCustomKind } from './import-kind.ts'
import { type FieldTarget, isShown, type KnownField } from './target.ts'

/** A field that a column may become. Of several columns, that of the lowest rank is taken, and then the first. */
export interface Candidate {
  readonly target: FieldTarget
  readonly rank: number
  /** The key of the custom field that it was found by. */
  readonly key?: string
}

/** The file and the workspace that candidates depend on. */
export interface MatchContext {
  readonly mainKind: ImportKind
  readonly customFields: readonly KnownField[]
  /** The source of external ids. */
  readonly source: string | undefined
  readonly columns: readonly Column[]
}

/** The first rank of each way to find a field. */
const RANKS = { customField: 0, usual: 10, address: 20, contact: 30, label: 40 } as const
/** A name of another kind is less exact. */
const OTHER_KIND = 3
/** A label of fewer letters is in too many names. */
const MIN_LABEL_LENGTH = 3

/** Lists what a column may become by its name, in no order. */
export function listCandidates(column: Column, context: MatchContext): readonly Candidate[] {
  if (column.name === '') return []
  const exact = findCustomFields(column, context)
  const { name } = column
  if (isConsent(name) || isDerived(column.rest)) return exact
  return [
    ...exact,
    ...findUsual(column, context),
    ...findAddress(column, context),
    ...findContact(column, context),
    ...findLabelsWithin(column, context),
  ]
}

/** The kinds of a column in the order in which their fields are tried. */
function listKinds({ kind }: Column, { mainKind }: MatchContext): readonly ImportKind[] {
  const first = kind ?? mainKind
  // Products are linked to nothing.
  const others = mainKind === 'products' ? [] : CUSTOM_KINDS.filter((each) => each !== first)
  return [first, ...others]
}

function findCustomFields(column: Column, context: MatchContext): readonly Candidate[] {
  return context.customFields.flatMap((field) => {
    const kind = listKinds(column, context).find((each) => isShown(field, each))
    if (!kind) return []
    const names = [column.name, column.rest].map(compactText)
    const rank = [field.label, field.key].findIndex((each) => names.includes(compactText(each)))
    const part = field.type === 'address' ? '.street' : ''
    return rank < 0 ? [] : [customCandidate(kind, field, part, RANKS.customField + rank)]
  })
}

function findUsual(column: Column, context: MatchContext): readonly Candidate[] {
  const { mainKind, source } = context
  return listKinds(column, context).flatMap((kind, index): readonly Candidate[] => {
    const isOfKind = index === 0
    // The whole name goes before the rest: `Organization Title` is the position of a person.
    const whole = findUsualFields(column.name, kind, kind === mainKind)
    const rest = column.kind === undefined ? [] : findUsualFields(column.rest, kind, isOfKind)
    const others = column.kind === undefined || !isOfKind ? [] : findAfterKind(column.rest, kind)
    const isNote = isOfKind && kind === mainKind && isCustomKind(kind) && isNoteName(column.rest)
    const distance = RANKS.usual + (isOfKind ? 0 : OTHER_KIND)
    return [
      ...[...whole, ...rest, ...others].map(({ field, rank }) => ({
        target: { kind, field, ...(field === 'external_id' && source !== undefined && { source }) },
        rank: distance + rank,
      })),
      ...(isNote
        ? [{ target: { kind: 'activities' as const, field: 'content_html' }, rank: RANKS.usual }]
        : []),
    ]
  })
}

/** Pipedrive repeats the kind: `Deal - Deal created`. */
function findAfterKind(rest: string, kind: ImportKind) {
  const [, repeated] = /^(?:deal|person|organization|negocio) (.+)$/.exec(rest) ?? []
  return repeated === undefined ? [] : findUsualFields(repeated, kind, true)
}

function findAddress(column: Column, context: MatchContext): readonly Candidate[] {
  const [kind] = listKinds(column, context)
  const fields = context.customFields.filter((field) => field.type === 'address' && isShown(field, kind!))
  return findAddressParts(column.rest).flatMap(({ part, rank }) =>
    fields.map((field, index) =>
      customCandidate(kind!, field, `.${part}`, RANKS.address + rank + (index > 0 ? 1 : 0)),
    ),
  )
}

function findContact(column: Column, context: MatchContext): readonly Candidate[] {
  const field = findContactField(column.rest)
  if (field === undefined) return []
  const kind = column.kind ?? context.mainKind
  if (field === 'owner_email')
    return kind === 'products' ? [] : [{ target: { kind, field }, rank: RANKS.contact }]
  const ofContact =
    kind === 'people' || kind === 'companies' ? kind : kind === 'products' ? undefined : 'people'
  const typed = readLabel(column, context.columns, field)
  return ofContact ? [{ target: { kind: ofContact, field: typed }, rank: RANKS.contact }] : []
}

/** Google Contacts says the type of `Phone 1 - Value` in `Phone 1 - Label`. The label of most rows counts. */
function readLabel(column: Column, columns: readonly Column[], field: ContactField): ContactField {
  const stem = / \d+ value$/.test(column.name) ? column.name.replace(/ value$/, '') : undefined
  const labels = columns.find(({ name }) => name === `${stem} label` || name === `${stem} type`)?.sample ?? []
  const typed = labels.map((label) => applyLabel(field, foldHeader(label)))
  return typed.find((each) => typed.filter((other) => other === each).length > labels.length / 2) ?? field
}

/** The fewer words stand beside the label, the more exact it is. */
function findLabelsWithin(column: Column, context: MatchContext): readonly Candidate[] {
  if (isAboutContact(column.name)) return []
  return context.customFields.flatMap((field) => {
    const kind = listKinds(column, context).find((each) => isShown(field, each))
    const label = foldHeader(field.label)
    if (!kind || label.length < MIN_LABEL_LENGTH || !` ${column.name} `.includes(` ${label} `)) return []
    const others = ` ${column.name} `.replace(` ${label} `, ' ').trim()
    if (hasAttribute(others) || (field.type === 'address' && !isAddressKind(others))) return []
    const part = field.type === 'address' ? '.street' : ''
    return [customCandidate(kind, field, part, RANKS.label + others.split(' ').length)]
  })
}

function customCandidate(kind: ImportKind, { key }: KnownField, part: string, rank: number): Candidate {
  return { target: { kind, field: `custom_fields.${key}${part}` }, rank, key }
}
