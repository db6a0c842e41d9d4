import type { CustomFieldType } from '../../../schema/custom-field-types.ts'
import type { CellRule } from '../cell-rules.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import type { CellProblem } from '../row-result.ts'
import type { NameParts } from '../values/person-name.ts'

/** What the cells of a row say of one record. */
export interface RecordDraft {
  readonly kind: ImportKind
  /** Fields of a create, with their values. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Custom values by key. */
  readonly customValues: Readonly<Record<string, unknown>>
  /** Texts that name other records: an owner, a stage, tags. */
  readonly names: Readonly<Record<string, readonly string[]>>
  readonly problems: readonly CellProblem[]
  /** Fields whose cells are empty, `custom_fields.<key>` included. */
  readonly empty: readonly string[]
}

/** Collects what the cells of a row say of one record. */
export class DraftBuilder {
  readonly kind: ImportKind
  readonly #fields: Record<string, unknown> = {}
  readonly #customValues: Record<string, unknown> = {}
  readonly #names: Record<string, readonly string[]> = {}
  readonly #problems: CellProblem[] = []
  readonly #empty: string[] = []
  readonly #blankCells: CellProblem[] = []
  #nameParts: NameParts = {}

  constructor(kind: ImportKind) {
    this.kind = kind
  }

  get nameParts(): NameParts {
    return this.#nameParts
  }

  setNamePart(part: keyof NameParts, cell: string): void {
    this.#nameParts = { ...this.#nameParts, [part]: cell }
  }

  set(field: string, value: unknown): void {
    this.#fields[field] ??= value
  }

  append(field: string, values: readonly unknown[]): void {
    this.#fields[field] = [...((this.#fields[field] as unknown[] | undefined) ?? []), ...values]
  }

  setCustomValue(key: string, value: unknown): void {
    this.#customValues[key] = value
  }

  setAddressPart(key: string, part: string, value: string): void {
    this.#customValues[key] = { ...(this.#customValues[key] as object | undefined), [part]: value }
  }

  name(what: string, texts: readonly string[]): void {
    this.#names[what] = [...(this.#names[what] ?? []), ...texts]
  }

  leaveEmpty(field: string): void {
    this.#empty.push(field)
  }

  refuse(column: string, value: string, rule: CellRule): void {
    this.#problems.push({ kind: this.kind, column, value: shorten(value), ...rule })
  }

  /** As `refuse`, of a cell that is left empty for that. */
  leaveBlank(column: string, value: string, rule: CellRule): void {
    this.#blankCells.push({ kind: this.kind, column, value: shorten(value), ...rule })
  }

  get blankCells(): readonly CellProblem[] {
    return this.#blankCells
  }

  /** True if a cell has a value. */
  get hasValue(): boolean {
    return [this.#fields, this.#customValues, this.#names, this.#problems, this.#nameParts].some(
      (each) => Object.keys(each).length > 0,
    )
  }

  build(): RecordDraft {
    return {
      kind: this.kind,
      fields: this.#fields,
      customValues: this.#customValues,
      names: this.#names,
      problems: this.#problems,
      empty: this.#empty,
    }
  }
}

/** A custom field of the workspace, or one that is to be made. */
export interface DraftField {
  readonly key: string
  readonly type: CustomFieldType
}

const MAX_SHOWN_CHARACTERS = 200

/** What is shown of a wrong value. */
export function shorten(value: string): string {
  if (value.length <= MAX_SHOWN_CHARACTERS) return value
  const characters = [...value]
  return characters.length > MAX_SHOWN_CHARACTERS
    ? `${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}…`
    : value
}
