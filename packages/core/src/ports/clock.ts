import type { Instant } from '../kernel/instant.ts'

export type Clock = () => Instant

/** A new UUIDv7, lower case. */
export type NewId = () => string

/** Unpredictable bytes. */
export type Random = (bytes: number) => Uint8Array
