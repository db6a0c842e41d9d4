import { isUtf8 } from 'node:buffer'
import type { DetectedEncoding, Encoding } from '@sales-crm/core/ports'

/** Latin text in UTF-16 has a zero byte in nearly each pair. A few NUL characters do not make UTF-16. */
const MIN_ZERO_SHARE = 0.4

/**
 * Detects the encoding of a text from its first bytes, which may end within a character. Plain ASCII is UTF-8. A
 * single character that is not ASCII and is cut by the end is taken for Windows-1252.
 */
export function detectEncoding(head: Uint8Array): DetectedEncoding {
  const encoding = detectMark(head) ?? detectUtf16(head)
  if (encoding) return { encoding, isGuess: false }
  return canBeUtf8(head) ? { encoding: 'utf-8', isGuess: false } : { encoding: 'windows-1252', isGuess: true }
}

/** Detects a byte order mark. */
function detectMark([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

function detectUtf16(head: Uint8Array): Encoding | undefined {
  const zeros = { even: 0, odd: 0 }
  for (const [index, byte] of head.entries()) {
    if (byte === 0) zeros[index % 2 === 0 ? 'even' : 'odd']++
  }
  const minimum = Math.max(1, (head.length / 2) * MIN_ZERO_SHARE)
  if (zeros.even === 0 && zeros.odd > minimum) return 'utf-16le'
  if (zeros.odd === 0 && zeros.even > minimum) return 'utf-16be'
  return undefined
}

/** Tolerates a last character that is cut, if others are not ASCII. */
function canBeUtf8(head: Uint8Array): boolean {
  if (isUtf8(head)) return true
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return Buffer.byteLength(text) > text.length
  } catch {
    return false
  }
}
