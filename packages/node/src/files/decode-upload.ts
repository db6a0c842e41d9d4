import { type FileError, MAX_FILE_BYTES } from '@sales-crm/core/ports'

export const TOO_LARGE: FileError = { error: 'Must be at most 2 MB.' }
const MAX_BASE64_LENGTH = 4 * Math.ceil(MAX_FILE_BYTES / 3)
const BASE64_MARKER = ';base64'

export interface UploadedFile {
  readonly bytes: Uint8Array
  /** `bytes` in Base64 with padding. */
  readonly content: string
  /** The media type of the data URI, in lower case and without parameters; `undefined` for bare Base64. */
  readonly declaredType: string | undefined
}

/** The rule of Base64 that a text breaks, as the end of a sentence. */
export interface Base64Error {
  readonly base64Error: string
}

type DecodedUpload = UploadedFile | FileError | Base64Error

/**
 * Decodes bare Base64 or a Base64 data URI: the standard alphabet or that of URLs, with or without padding
 * and line breaks.
 */
export function decodeUpload(input: string): DecodedUpload {
  const comma = input.slice(0, 5).toLowerCase() === 'data:' ? input.indexOf(',') : undefined
  if (comma === undefined) return decodeBase64(input, undefined)
  const head = input.slice(5, Math.max(comma, 5)).toLowerCase()
  if (!head.endsWith(BASE64_MARKER)) return { error: 'A data URI must be in Base64.' }
  return decodeBase64(input.slice(comma + 1), head.split(';', 1)[0])
}

function decodeBase64(input: string, declaredType: string | undefined): DecodedUpload {
  const text = input.replaceAll(/[\r\n]+/g, '')
  if (text.length > MAX_BASE64_LENGTH) return TOO_LARGE
  const end = text.indexOf('=')
  const [digits, padding] = end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end)]
  const base64Error = findBase64Error(digits, padding)
  if (base64Error !== undefined) return { base64Error }
  const bytes = Buffer.from(digits, 'base64')
  const content = bytes.toString('base64')
  if (bytes.toString('base64url') !== digits.replaceAll('+', '-').replaceAll('/', '_'))
    return { base64Error: 'its last character holds bits beyond the last byte' }
  return bytes.length > MAX_FILE_BYTES ? TOO_LARGE : { bytes, content, declaredType }
}

function findBase64Error(digits: string, padding: string): string | undefined {
  const [foreign] = /[^A-Za-z0-9+/_-]/.exec(digits) ?? []
  if (foreign !== undefined)
    return /\s/.test(foreign) ? 'it contains a space' : 'it contains a character of no Base64 alphabet'
  if (/[+/]/.test(digits) && /[-_]/.test(digits)) return 'it mixes + and / with - and _'
  if (/\s/.test(padding)) return 'it contains a space'
  if (!/^={0,2}$/.test(padding)) return 'it has padding where none belongs'
  if (digits.length % 4 === 1) return 'it is incomplete at its end'
  return padding !== '' && (digits.length + padding.length) % 4 !== 0 ? 'its padding is wrong' : undefined
}
