/** A decoded file. */
export interface FileContent {
  /** Base64, with padding. */
  readonly content: string
  /** Detected from the bytes, never from a name. */
  readonly content_type: string
  /** Bytes. */
  readonly size: number
}

/** The reason why a file is rejected. It becomes a `validation_error`. */
export interface FileError {
  /** The rule that the file breaks, as a sentence for the caller. */
  readonly error: string
}

/**
 * Files of at most `MAX_FILE_BYTES`. `encoded` is Base64, bare or in a data URI; line breaks, missing padding
 * and the URL-safe alphabet are accepted.
 */
export interface Files {
  /** A PNG, JPEG, GIF, WebP or AVIF image. */
  decodeImage(encoded: string): Promise<FileContent | FileError>
  /** An image at a public https address. Not for use in a transaction. */
  fetchImage(url: string): Promise<FileContent | FileError>
  /** A PNG or JPEG image of at most `MAX_LOGO_BYTES`, and `MAX_LOGO_PIXELS` wide and high. */
  decodeLogo(encoded: string): Promise<FileContent | FileError>
  /** A file of any kind. */
  decodeAttachment(encoded: string): Promise<FileContent | FileError>
}
