import type { Instant } from '../kernel/instant.ts'

/** Returns the present instant. Everything that is due, expires or is stamped follows it. */
export type Clock = () => Instant

/** A new UUIDv7 in lower case. */
export type NewId = () => string

/** Cryptographically secure random bytes. */
export type Random = (bytes: number) => Uint8Array
