import type { FileFault } from '@sales-crm/core/ports'

export const MAX_BYTES = 2_097_152
export const TOO_LARGE: FileFault = { fault: 'Must be at most 2 MB.' }
export const NO_BASE64: FileFault = { fault: 'Must be valid Base64.' }
const MAX_CHARACTERS = 4 * Math.ceil(MAX_BYTES / 3)
const BASE64 = ';base64'

export interface GivenFile {
  readonly bytes: Uint8Array
  /** Base64 has one spelling here, so that this is what `bytes` would be written as. */
  readonly content: string
  /** The media type a data URI says, in lower case and without parameters; `undefined` for bare Base64. */
  readonly declared: string | undefined
}

/** Reads bare Base64, or a data URI in Base64: the standard alphabet with padding, and no white space. */
export function givenFile(given: string): GivenFile | FileFault {
  const comma = given.slice(0, 5).toLowerCase() === 'data:' ? given.indexOf(',') : undefined
  if (comma === undefined) return decoded(given, undefined)
  const head = given.slice(5, Math.max(comma, 5)).toLowerCase()
  if (!head.endsWith(BASE64)) return { fault: 'A data URI must be in Base64.' }
  return decoded(given.slice(comma + 1), head.split(';', 1)[0])
}

function decoded(content: string, declared: string | undefined): GivenFile | FileFault {
  if (content.length > MAX_CHARACTERS) return TOO_LARGE
  const bytes = Buffer.from(content, 'base64')
  // Node reads what it can of any text: only what it writes the same way is Base64.
  if (bytes.toString('base64') !== content) return NO_BASE64
  return bytes.length > MAX_BYTES ? TOO_LARGE : { bytes, content, declared }
}
