import { compactText, foldHeader } from '../folded-text.ts'
import { readEmails, readPhones } from '../values/contact-cells.ts'
import { canHold } from './accepted-values.ts'
import { type Assignment, assignColumns, findRecordKinds } from './assign-columns.ts'
import { listCandidates } from './candidates.ts'
import { type Column, describeColumn } from './column.ts'
import { isConsent, isContactAttribute, isDerived } from './column-topics.ts'
import { isAboutContact, isAboutOthers } from './contact-words.ts'
import { isFailuresFile } from './failures-column.ts'
import { isCnpj, isCpf } from './field-type.ts'
import { CUSTOM_KINDS, type ImportKind } from './import-kind.ts'
import { limitNewFields } from './limit-new-fields.ts'
import { inferMainKind } from './main-kind.ts'
import { describeNewField } from './new-field.ts'
import { findOwnKind, proposeOwnColumns } from './own-export.ts'
import { hasSameValues, measureShare } from './sample.ts'
import { findSystemFile, type SystemFile } from './systems.ts'
import type { ColumnProposal, ColumnReason, ColumnTarget, FileColumn, KnownField } from './target.ts'
import { isShown } from './target.ts'

export interface ProposalContext {
  readonly customFields: readonly KnownField[]
  /** The kind of the rows, if the user chose it. */
  readonly kind?: ImportKind
}

/** Facts about the whole file. */
interface FileReading {
  readonly system: SystemFile | undefined
  readonly mainKind: ImportKind
  readonly kinds: ReadonlySet<ImportKind>
  readonly customFields: readonly KnownField[]
  /** The fields that columns have by their names. */
  readonly fields: ReadonlySet<string>
}

type Proposal = Pick<ColumnProposal, 'target' | 'reason'>

/** Of the values have the form of an address or a number, where the name says nothing. */
const MIN_CONTACT_SHARE = 0.8

/**
 * Proposes what each column of a file becomes: by the labels of custom fields, then its name, then its values. A row
 * may have records of several kinds. No field that holds one value has two columns.
 * @returns a proposal for each column, in their order
 */
export function proposeColumns(
  fileColumns: readonly FileColumn[],
  { customFields, kind }: ProposalContext,
): readonly ColumnProposal[] {
  const names = fileColumns.map(({ name }) => name)
  if (isFailuresFile(names)) return proposeFailuresFile(fileColumns, { customFields, ...(kind && { kind }) })
  const ownKind = findOwnKind(names)
  if (ownKind && (kind ?? ownKind) === ownKind) return proposeOwnColumns(names, ownKind, customFields)
  const columns = fileColumns.map(describeColumn)
  const system = findSystemFile(names)
  const mainKind = kind ?? findFileKind(names)
  const context = { mainKind, customFields, source: system?.source, columns }
  const found = columns.map((column) => ({
    column,
    candidates: listCandidates(column, context).filter(({ target }) => canHold(target, column.sample)),
  }))
  const kinds = findRecordKinds(found, mainKind)
  const assignments = assignColumns(
    found.map(({ column, candidates }) => ({
      column,
      candidates: candidates.filter(({ target }) => kinds.has(target.kind)),
    })),
  )
  const file = { system, mainKind, kinds, customFields, fields: listFields(assignments) }
  const proposals = columns.map((column, index) => ({
    column: index,
    header: column.header,
    ...proposeColumn(column, assignments[index], file),
  }))
  return limitNewFields(proposals, fileColumns)
}

function proposeFailuresFile(
  fileColumns: readonly FileColumn[],
  context: ProposalContext,
): readonly ColumnProposal[] {
  const proposals = proposeColumns(fileColumns.slice(0, -1), context)
  const { name: header } = fileColumns.at(-1)!
  return [...proposals, { column: proposals.length, header, ...leaveOut({ code: 'failures' }) }]
}

/** The kind of the rows of a file with these columns. */
export function findFileKind(names: readonly string[]): ImportKind {
  return findOwnKind(names) ?? findSystemFile(names)?.kind ?? inferMainKind(names.map(foldHeader))
}

function listFields(assignments: readonly Assignment[]): ReadonlySet<string> {
  return new Set(
    assignments.flatMap((each) => (each && 'candidate' in each ? [each.candidate.target.field] : [])),
  )
}

function proposeColumn(column: Column, assignment: Assignment, file: FileReading): Proposal {
  const { header, name, rest } = column
  if (assignment && 'candidate' in assignment) {
    const { target, key } = assignment.candidate
    return { target, reason: key === undefined ? explainHeader(header, file) : { code: 'custom_field', key } }
  }
  if (isConsent(name)) return proposeConsent(column, file)
  if (isContactAttribute(name)) return leaveOut({ code: 'describes', header })
  if (isDerived(rest)) return leaveOut({ code: 'derived', header })
  if (assignment) return proposeTaken(column, assignment.takenBy, file)
  if (column.sample.length === 0) return leaveOut({ code: 'empty' })
  return proposeByValues(column, file) ?? proposeNewField(column, file)
}

function explainHeader(header: string, { system }: FileReading): ColumnReason {
  const isOfSystem = system?.headers.has(compactText(header))
  return { code: 'header', header, ...(isOfSystem && { system: system!.name }) }
}

function proposeConsent(column: Column, { mainKind, kinds }: FileReading): Proposal {
  const reason: ColumnReason = { code: 'consent', header: column.header }
  const field =
    describeNewField(column, mainKind, kinds) ?? describeNewField(column, 'people', new Set(['people']))
  return { target: field!.target, reason }
}

function proposeTaken(column: Column, other: Column, file: FileReading): Proposal {
  const { header } = other
  if (hasSameValues(column.values, other.values, compactText)) return leaveOut({ code: 'same_as', header })
  if (column.sample.length === 0) return leaveOut({ code: 'taken', header })
  const proposal = proposeNewField(column, file)
  return proposal.target ? { ...proposal, reason: { code: 'taken', header } } : proposal
}

/** A name that speaks of addresses, and was not found, speaks of those of others. */
function proposeByValues({ name, sample }: Column, file: FileReading): Proposal | undefined {
  const kind = file.mainKind === 'companies' ? 'companies' : 'people'
  const hasField = (prefix: string) => [...file.fields].some((field) => field.startsWith(prefix))
  const propose = (target: ColumnTarget, share: number): Proposal => ({
    target,
    reason: { code: 'values', share },
  })
  if (!isAboutContact(name) && !isAboutOthers(name) && file.kinds.has(kind)) {
    const emails = measureShare(sample, (value) => isAll(readEmails(value)))
    if (emails >= MIN_CONTACT_SHARE && !hasField('emails'))
      return propose({ kind, field: 'emails:work' }, emails)
    const phones = measureShare(sample, (value) => /^[+(]/.test(value) && isAll(readPhones(value)))
    if (phones >= MIN_CONTACT_SHARE && !hasField('phones'))
      return propose({ kind, field: 'phones:work' }, phones)
  }
  for (const [type, isOfType] of [['cpf', isCpf] as const, ['cnpj', isCnpj] as const]) {
    const share = measureShare(sample, isOfType)
    const fields = file.customFields.filter(
      (field) => field.type === type && !hasField(`custom_fields.${field.key}`),
    )
    const shown = fields.map(({ key }, at) => ({ key, kind: findKind(fields[at]!, file.kinds) }))
    const found = shown.find((each) => each.kind !== undefined)
    if (share >= MIN_CONTACT_SHARE && found)
      return propose({ kind: found.kind!, field: `custom_fields.${found.key}` }, share)
  }
  return undefined
}

function findKind(field: KnownField, kinds: ReadonlySet<ImportKind>): ImportKind | undefined {
  return CUSTOM_KINDS.find((kind) => kinds.has(kind) && isShown(field, kind))
}

function isAll({ values, invalid }: ReturnType<typeof readEmails>): boolean {
  return values.length > 0 && invalid.length === 0
}

function proposeNewField(column: Column, { mainKind, kinds }: FileReading): Proposal {
  if (column.name === '') return leaveOut({ code: 'no_name' })
  const field = describeNewField(column, mainKind, kinds)
  if (!field) return leaveOut({ code: 'no_custom_fields' })
  return { target: field.target, reason: { code: 'new_field', share: field.share } }
}

function leaveOut(reason: ColumnReason): Proposal {
  return { target: null, reason }
}
