export const LF = 0x0a
export const CR = 0x0d

/** Counts the lines of UTF-8 bytes. LF, CR LF and CR each end a line. */
export class LineCounter {
  #line: number
  #previous = 0

  constructor(line = 1) {
    this.#line = line
  }

  /** Of the byte that is added next. */
  get line(): number {
    return this.#line
  }

  add(bytes: Uint8Array): void {
    let previous = this.#previous
    for (const byte of bytes) {
      if (byte === LF ? previous !== CR : byte === CR) this.#line++
      previous = byte
    }
    this.#previous = previous
  }
}
