/** The core has no text encoder: a percent-encoded text has one byte per character or escape. */
export function encodeUtf8(text: string): Uint8Array {
  return Uint8Array.from(encodeURIComponent(text), (character) => character.charCodeAt(0))
}

/** Reverses `encodeUtf8`. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decodeURIComponent(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
