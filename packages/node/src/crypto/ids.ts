import { randomFillSync, randomUUIDv7 } from 'node:crypto'
import type { NewId, Random } from '@sales-crm/core/ports'

export const newId: NewId = () => randomUUIDv7()

export const random: Random = (bytes) => randomFillSync(new Uint8Array(bytes))
