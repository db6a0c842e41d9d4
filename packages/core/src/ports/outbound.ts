/**
 * Parses a URL that a caller chose for outbound requests. The form of the host is checked here, the addresses
 * it resolves to when connecting. Returns the normalised URL and its host, or the rule it breaks as a
 * sentence for the caller.
 */
export type ParseOutboundUrl = (
  url: string,
) => { readonly url: string; readonly host: string } | { readonly error: string }

/**
 * Fetches a JSON document of at most 64 KiB from a public https address. Returns undefined on any failure,
 * because the reason would tell a caller about the network. Not for use in a transaction.
 */
export type FetchDocument = (url: string) => Promise<FetchedDocument | undefined>

/** A document of another server, not parsed yet. */
export interface FetchedDocument {
  /** The body, at most 64 KiB. */
  readonly text: string
  /** Seconds for which its server allows caching; undefined if it does not say. */
  readonly max_age: number | undefined
}
