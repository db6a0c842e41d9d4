import type { FileError } from '@sales-crm/core/ports'

export const MAX_IMAGE_BYTES = 2_097_152
export const TOO_LARGE: FileError = { error: 'Must be at most 2 MB.' }
export const INVALID_BASE64: FileError = { error: 'Must be valid Base64.' }
const MAX_BASE64_LENGTH = 4 * Math.ceil(MAX_IMAGE_BYTES / 3)
const BASE64_MARKER = ';base64'

export interface UploadedFile {
  readonly bytes: Uint8Array
  /** `bytes` in Base64. Only canonical Base64 is accepted, so it equals the input. */
  readonly content: string
  /** The media type of the data URI, in lower case and without parameters; `undefined` for bare Base64. */
  readonly declaredType: string | undefined
}

/** Decodes bare Base64 or a Base64 data URI: the standard alphabet with padding, without white space. */
export function decodeUpload(input: string): UploadedFile | FileError {
  const comma = input.slice(0, 5).toLowerCase() === 'data:' ? input.indexOf(',') : undefined
  if (comma === undefined) return decodeBase64(input, undefined)
  const head = input.slice(5, Math.max(comma, 5)).toLowerCase()
  if (!head.endsWith(BASE64_MARKER)) return { error: 'A data URI must be in Base64.' }
  return decodeBase64(input.slice(comma + 1), head.split(';', 1)[0])
}

function decodeBase64(content: string, declaredType: string | undefined): UploadedFile | FileError {
  if (content.length > MAX_BASE64_LENGTH) return TOO_LARGE
  const bytes = Buffer.from(content, 'base64')
  // Node.js skips invalid characters. The text is canonical Base64 only if it encodes back to itself.
  if (bytes.toString('base64') !== content) return INVALID_BASE64
  return bytes.length > MAX_IMAGE_BYTES ? TOO_LARGE : { bytes, content, declaredType }
}
