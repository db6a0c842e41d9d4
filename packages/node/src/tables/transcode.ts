import { TextDecoder } from 'node:util'
import type { CancelSignal, DetectedEncoding, Encoding } from '@sales-crm/core/ports'
import { TableError } from '@sales-crm/core/ports'
import { detectEncoding } from './detect-encoding.ts'
import { refuseOtherFormats } from './file-signatures.ts'
import { nulCharacter } from './limits.ts'
import { LineCounter } from './line-counter.ts'
import { BLOCK_BYTES, readBlocks } from './read-blocks.ts'

/** The longest character of UTF-8. */
const MAX_CHARACTER_BYTES = 4
const NO_BYTES = Buffer.alloc(0)

export interface TranscodeOptions {
  /** Detected if undefined, from the first block that is not plain ASCII. */
  readonly encoding?: Encoding | undefined
  readonly signal?: CancelSignal | undefined
  /** Called once, unless the file ends as plain ASCII or is given an encoding. */
  onDetection(detected: DetectedEncoding): void
}

/**
 * Transcodes a text file to UTF-8 without a byte order mark. Blocks end between characters.
 * @throws TableError for other formats, bytes that are invalid in UTF-8, and NUL characters
 */
export async function* transcodeToUtf8(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, signal, onDetection }: TranscodeOptions,
): AsyncGenerator<Buffer> {
  const decoder = new BlockDecoder(encoding)
  const detect = (bytes: Uint8Array) => {
    if (decoder.hasEncoding) return
    const detected = detectEncoding(bytes)
    onDetection(detected)
    decoder.setEncoding(detected.encoding)
  }
  let isFirst = true
  let undecided = NO_BYTES
  for await (const block of readBlocks(chunks, signal)) {
    if (isFirst) {
      refuseOtherFormats(block)
      if (block.includes(0)) detect(block)
      isFirst = false
    }
    if (decoder.hasEncoding) {
      yield decoder.decode(block)
      continue
    }
    const bytes = Buffer.concat([undecided, block])
    const start = findNonAscii(bytes)
    // The character may continue in the next block. A shorter block is the last one.
    const canContinue = block.length === BLOCK_BYTES && bytes.length - start < MAX_CHARACTER_BYTES
    const isAscii = start === bytes.length
    if (!isAscii && !canContinue) detect(bytes.subarray(start))
    const end = decoder.hasEncoding ? bytes.length : start
    yield decoder.decode(bytes.subarray(0, end))
    undecided = bytes.subarray(end)
  }
  detect(undecided)
  yield decoder.decode(undecided)
  yield decoder.finish()
}

/** Decodes blocks, and counts their lines for errors. */
class BlockDecoder {
  readonly #lines = new LineCounter()
  #decoder: TextDecoder | undefined

  constructor(encoding: Encoding | undefined) {
    if (encoding) this.setEncoding(encoding)
  }

  get hasEncoding(): boolean {
    return this.#decoder !== undefined
  }

  setEncoding(encoding: Encoding): void {
    // Lone surrogates in UTF-16 become U+FFFD, as in other programs. Windows-1252 has no invalid bytes.
    this.#decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' })
  }

  /** Without an encoding, the bytes have to be ASCII. */
  decode(bytes: Buffer): Buffer {
    if (!this.#decoder) return this.#check(bytes)
    try {
      return this.#check(Buffer.from(this.#decoder.decode(bytes, { stream: true })))
    } catch (error) {
      if (error instanceof TableError) throw error
      this.#lines.add(bytes.subarray(0, findInvalid(bytes)))
      throw invalidUtf8(this.#lines.line)
    }
  }

  finish(): Buffer {
    try {
      return this.#check(Buffer.from(this.#decoder?.decode() ?? ''))
    } catch (error) {
      throw error instanceof TableError ? error : invalidUtf8(this.#lines.line)
    }
  }

  #check(text: Buffer): Buffer {
    const nul = text.indexOf(0)
    this.#lines.add(nul < 0 ? text : text.subarray(0, nul))
    if (nul >= 0) throw nulCharacter(this.#lines.line)
    return text
  }
}

function invalidUtf8(line: number): TableError {
  const message = `Line ${line} is not valid UTF-8: save the file as CSV in UTF-8, or choose its encoding.`
  return new TableError('invalid_encoding', message, line)
}

/** Returns the length if all bytes are ASCII. */
function findNonAscii(bytes: Uint8Array): number {
  const index = bytes.findIndex((byte) => byte >= 0x80)
  return index < 0 ? bytes.length : index
}

/** Finds the first byte that is invalid in UTF-8. A character that began before these bytes is taken for valid. */
function findInvalid(bytes: Buffer): number {
  let start = 0
  while (start < MAX_CHARACTER_BYTES - 1 && (bytes[start]! & 0xc0) === 0x80) start++
  // Invalid bytes become U+FFFD, and a U+FFFD of the file stays as it is.
  const decoded = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start)))
  const length = decoded.findIndex((byte, index) => byte !== bytes[start + index])
  return length < 0 ? 0 : start + length
}
