import type { Tables } from '@sales-crm/core/ports'
import { readTable } from './read-table.ts'

export const nodeTables: Tables = {
  read: readTable,
  encode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  decode: (text) => Buffer.from(text, 'base64'),
}
