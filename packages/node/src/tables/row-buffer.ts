import { CR, LF, LineCounter } from './line-counter.ts'

/** The bytes of a file from the start of the current row on. Offsets are bytes from the start of the table. */
export class RowBuffer {
  readonly #blocks: Buffer[] = []
  readonly #lines: LineCounter
  #start = 0
  #length = 0

  constructor(firstLine: number) {
    this.#lines = new LineCounter(firstLine)
  }

  /** Offset of the first byte. */
  get start(): number {
    return this.#start
  }

  /** Of the first byte, from 1. */
  get line(): number {
    return this.#lines.line
  }

  get length(): number {
    return this.#length
  }

  append(block: Buffer): void {
    if (block.length === 0) return
    this.#blocks.push(block)
    this.#length += block.length
  }

  /** Drops the bytes before an offset. */
  skipTo(offset: number): void {
    while (this.#start < offset) this.#dropFirst(offset - this.#start)
  }

  /** Drops the line breaks before a row. */
  skipLineBreaks(): void {
    for (let block = this.#blocks[0]; block; block = this.#blocks[0]) {
      const breaks = block.findIndex((byte) => byte !== LF && byte !== CR)
      this.#dropFirst(breaks < 0 ? block.length : breaks)
      if (breaks >= 0) return
    }
  }

  /** Returns the text up to an offset. */
  readTo(offset: number): string {
    return Buffer.concat(this.#blocks, offset - this.#start).toString()
  }

  /** Drops at most the first block. */
  #dropFirst(length: number): void {
    const [block] = this.#blocks
    if (!block || length === 0) return
    const dropped = block.subarray(0, length)
    this.#lines.add(dropped)
    this.#start += dropped.length
    this.#length -= dropped.length
    if (dropped.length === block.length) this.#blocks.shift()
    else this.#blocks[0] = block.subarray(length)
  }
}
