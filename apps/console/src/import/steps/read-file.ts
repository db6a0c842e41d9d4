import type { ImportFile } from '../saved/saved-import.ts'
import { decodeText } from '../sheet/decode-text.ts'
import { parseSheet } from '../sheet/parse-sheet.ts'
import { MAX_BYTES, type Sheet, type SheetError } from '../sheet/sheet.ts'

export type ReadFile = { readonly file: ImportFile; readonly sheet: Sheet } | { readonly error: SheetError }

/** Reads a file that was chosen or dropped. */
export async function readFile(chosen: File): Promise<ReadFile> {
  if (chosen.size > MAX_BYTES) return { error: { code: 'tooLarge' } }
  try {
    const decoded = decodeText(new Uint8Array(await chosen.arrayBuffer()))
    return readText({ name: chosen.name, ...decoded })
  } catch {
    return { error: { code: 'unreadable' } }
  }
}

/** Reads the text of a file, or what was pasted. */
export function readText(file: ImportFile): ReadFile {
  if (file.text.length > MAX_BYTES) return { error: { code: 'tooLarge' } }
  const sheet = parseSheet(file.text)
  return 'code' in sheet ? { error: sheet } : { file, sheet }
}
