import { TableError } from '@sales-crm/core/ports'
import {
  cellTooLarge,
  hasTooLargeCell,
  MAX_COLUMNS,
  MAX_ROW_BYTES,
  nulCharacter,
  rowTooLarge,
  tooManyColumns,
} from './limits.ts'

const LF = 0x0a
/** An exported record has custom fields with lists of options. */
const MAX_DEPTH = 6
/** Of a line, in all lists and objects. */
const MAX_VALUES = 20_000

export interface JsonRow {
  /** Of the file, from 1. */
  readonly line: number
  readonly cells: ReadonlyMap<string, string>
  readonly bytes: number
}

/**
 * Parses UTF-8 with a flat object in each line. Blank lines are left out.
 * @throws TableError
 */
export async function* parseJsonRows(blocks: AsyncIterable<Buffer>): AsyncGenerator<JsonRow> {
  for await (const { line, bytes } of readLines(blocks)) {
    const text = bytes.toString()
    if (text.trim() !== '') yield { line, bytes: bytes.length, cells: parseObject(text, line, bytes.length) }
  }
}

interface Line {
  readonly line: number
  /** Without LF. A CR stays: it is space to JSON. */
  readonly bytes: Buffer
}

async function* readLines(blocks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let line = 1
  let parts: Buffer[] = []
  let length = 0
  const add = (part: Buffer) => {
    length += part.length
    if (length > MAX_ROW_BYTES) throw rowTooLarge({ number: line, line })
    parts.push(part)
  }
  for await (const block of blocks) {
    let start = 0
    for (let end = block.indexOf(LF); end >= 0; end = block.indexOf(LF, start)) {
      add(block.subarray(start, end))
      yield { line, bytes: Buffer.concat(parts) }
      start = end + 1
      line++
      parts = []
      length = 0
    }
    add(block.subarray(start))
  }
  yield { line, bytes: Buffer.concat(parts) }
}

function parseObject(text: string, line: number, bytes: number): ReadonlyMap<string, string> {
  checkShape(text, line)
  const cells = new Map<string, string>()
  for (const [key, value] of Object.entries(parseJson(text, line))) cells.set(key, toCell(value))
  if (cells.size > MAX_COLUMNS) throw tooManyColumns({ number: line, line })
  if (hasTooLargeCell(cells.values(), bytes)) throw cellTooLarge(line)
  // As an escape, `\u0000`.
  for (const [key, cell] of cells) if (`${key}${cell}`.includes('\0')) throw nulCharacter(line)
  return cells
}

/** A list of plain values is text, another list and an object are JSON again. Empty ones are no value. */
function toCell(value: unknown): string {
  if (value === null) return ''
  if (typeof value !== 'object') return String(value)
  if (Object.keys(value).length === 0) return ''
  const isPlain = Array.isArray(value) && value.every((each) => typeof each !== 'object')
  return isPlain ? value.join('; ') : JSON.stringify(value)
}

/** Numbers are strings in the result: as in the text, with all their digits. */
function parseJson(text: string, line: number): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text, (_key, value, context?: { readonly source?: string }) =>
      typeof value === 'number' ? context?.source : value,
    )
  } catch {
    throw invalidJson(line)
  }
}

/** Checks the shape before the text is parsed: many small values take a hundred times the size of their text. */
function checkShape(text: string, line: number): void {
  if (!text.trimStart().startsWith('{')) throw invalidJson(line)
  let isString = false
  let [depth, values] = [0, 1]
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isString) {
      if (character === '\\') index++
      else if (character === '"') isString = false
    } else if (character === '"') isString = true
    else if (character === ',') values++
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    if (depth > MAX_DEPTH) {
      const message = `Line ${line} has lists or objects within each other, more than ${MAX_DEPTH} deep.`
      throw new TableError('nested_value', message, line)
    }
    if (values > MAX_VALUES)
      throw new TableError('too_many_columns', `Line ${line} has more than ${MAX_VALUES} values.`, line)
  }
}

function invalidJson(line: number): TableError {
  return new TableError('invalid_json', `Line ${line} is not a JSON object.`, line)
}
