import { foldHeader } from '../folded-text.ts'
import type { ImportKind } from './import-kind.ts'
import { splitKind } from './kind-words.ts'
import { listFilled } from './sample.ts'
import type { FileColumn } from './target.ts'

/** A column with what its name says. */
export interface Column {
  readonly index: number
  readonly header: string
  /** The folded name. */
  readonly name: string
  /** The kind of which the name says that it is a column. */
  readonly kind: ImportKind | undefined
  /** The folded name without that kind. */
  readonly rest: string
  readonly values: readonly string[]
  /** The first values that are not empty. */
  readonly sample: readonly string[]
}

export function describeColumn({ name: header, values }: FileColumn, index: number): Column {
  const name = foldHeader(header)
  const { kind, rest } = splitKind(name, header) ?? { kind: undefined, rest: name }
  return { index, header, name, kind, rest, values, sample: listFilled(values) }
}
