// A named import that an older Node.js lacks would fail before it can be told.
import * as crypto from 'node:crypto'
import type { NewId, Random } from '@sales-crm/core/ports'

/** UUIDs of version 7, which sort by their time of creation. */
export const newId: NewId = () => crypto.randomUUIDv7()

/** Cryptographically secure random bytes. */
export const random: Random = (bytes) => crypto.randomFillSync(new Uint8Array(bytes))
