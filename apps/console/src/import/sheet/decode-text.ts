export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252'

export interface DecodedText {
  readonly text: string
  readonly encoding: Encoding
}

/** Decodes UTF-8, the UTF-16 that spreadsheets call Unicode text, and otherwise Windows-1252. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}
