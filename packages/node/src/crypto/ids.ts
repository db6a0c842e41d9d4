// A named import that an older Node.js lacks would fail before it can be told.
import * as crypto from 'node:crypto'
import type { NewId, Random } from '@sales-crm/core/ports'

export const newId: NewId = () => crypto.randomUUIDv7()

export const random: Random = (bytes) => crypto.randomFillSync(new Uint8Array(bytes))
