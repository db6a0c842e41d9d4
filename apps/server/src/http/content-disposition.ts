/**
 * The value of `Content-Disposition` with a file name, by RFC 6266. Clients that do not know the encoding of RFC 8187 take
 * the first name, of ASCII letters.
 */
export function contentDisposition(type: 'attachment' | 'inline', filename: string): string {
  const plain = filename
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_')
  return `${type}; filename="${plain}"; filename*=UTF-8''${encodeFilename(filename)}`
}

/**
 * Encoding of RFC 8187: `encodeURIComponent` leaves some characters that a header parameter must not contain.
 */
export function encodeFilename(filename: string): string {
  return encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
