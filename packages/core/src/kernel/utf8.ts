/** The core has no text encoder: a percent-encoded text has one byte per character or escape. */
export function encodeUtf8(text: string): Uint8Array {
  return Uint8Array.from(encodeURIComponent(text), (character) => character.charCodeAt(0))
}

/** Reverses `encodeUtf8`. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decodeURIComponent(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** The number of bytes of `encodeUtf8`. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff
    // The two halves of a pair share four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || isSurrogate ? 2 : 3
  }
  return bytes
}
