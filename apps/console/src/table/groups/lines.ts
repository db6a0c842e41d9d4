/** A part of a table: its rows, below a head if it is a group. */
export interface Section {
  readonly count: number
  readonly hasHead: boolean
  readonly isFolded: boolean
}

export interface Line {
  readonly section: number
  /** Index in the section; undefined for the head. */
  readonly row: number | undefined
}

/** The heads and rows of a table, one below the other. */
export class Lines {
  readonly #sections: readonly Section[]
  /** Index of the first line of each section, and after it that of the end. */
  readonly #starts: readonly number[]

  constructor(sections: readonly Section[]) {
    this.#sections = sections
    const starts = [0]
    for (const section of sections) starts.push(starts.at(-1)! + lineCount(section))
    this.#starts = starts
  }

  get count(): number {
    return this.#starts.at(-1)!
  }

  /** Number of the rows of sections that are not folded. */
  get rowCount(): number {
    return this.rowsBefore(this.count)
  }

  /** Undefined outside of the table. */
  at(index: number): Line | undefined {
    const section = this.#starts.findLastIndex((start) => start <= index)
    const { hasHead } = this.#sections[section] ?? {}
    if (hasHead === undefined) return undefined
    const row = index - this.#starts[section]! - Number(hasHead)
    return { section, row: row < 0 ? undefined : row }
  }

  /** Index of the line of a section's head. */
  headOf(section: number): number {
    return this.#starts[section]!
  }

  /** Number of the rows above a line. */
  rowsBefore(index: number): number {
    const heads = this.#sections.filter(({ hasHead }, section) => hasHead && this.#starts[section]! < index)
    return index - heads.length
  }

  /** Index of the line of a row, which is counted from 0 over all sections that are not folded. */
  lineOfRow(row: number): number {
    const section = this.#sections.findIndex(
      (each, index) => !each.isFolded && row < this.rowsBefore(this.#starts[index + 1]!),
    )
    const start = this.#starts[section]
    if (start === undefined) return this.count
    return start + Number(this.#sections[section]!.hasHead) + row - this.rowsBefore(start)
  }
}

function lineCount({ count, hasHead, isFolded }: Section): number {
  return Number(hasHead) + (isFolded ? 0 : count)
}
