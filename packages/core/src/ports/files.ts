/** A file that was understood. */
export interface FileContent {
  /** Base64, with padding. */
  readonly content: string
  /** By its bytes, never by a name. */
  readonly content_type: string
  /** Bytes. */
  readonly size: number
}

/** Why a file was not taken, as a sentence for the caller. */
export interface FileFault {
  readonly fault: string
}

/** Files of at most 2 097 152 bytes. `given` is Base64, bare or in a data URI. */
export interface Files {
  /** A picture: PNG, JPEG, GIF, WebP or AVIF. */
  decodeImage(encoded: string): Promise<FileContent | FileFault>
  /** A picture from a public https address. Not for use within a transaction. */
  fetchImage(url: string): Promise<FileContent | FileFault>
  /** A file of any kind. */
  decodeAttachment(encoded: string): Promise<FileContent | FileFault>
}

/** Where requests that callers ask for may go. A name is judged by its form; what it leads to, when a connection is made. */
export type OutboundUrl = (
  url: string,
) => { readonly url: string; readonly host: string } | { readonly fault: string }

/**
 * The text of a JSON document at a public https address, of at most 64 KiB; `undefined` when it cannot be had, for whatever reason, since
 * who asks may be anyone. Not for use within a transaction.
 */
export type FetchDocument = (url: string) => Promise<FetchedDocument | undefined>

export interface FetchedDocument {
  readonly text: string
  /** For how many seconds its server says it may be kept; `undefined` when it says nothing. */
  readonly max_age: number | undefined
}
