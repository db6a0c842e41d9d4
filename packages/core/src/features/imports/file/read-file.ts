import { asService, type WorkspaceTransaction } from '../../../engine/workspace-transaction.ts'
import type { Ports } from '../../../ports/index.ts'
import type { Table, Tables } from '../../../ports/tables.ts'
import { importKey } from '../../../schema/import.ts'
import type { ImportRecord } from '../import-record.ts'

/** Bytes of a row of the file: as Base64 it has 256 KiB. */
export const PART_BYTES = 196_608

/** Reads the file of an import as a table, a few parts at a time. @throws TableError */
export function openTable(
  record: ImportRecord,
  { storage, tables }: Pick<Ports, 'storage' | 'tables'>,
): Promise<Table> {
  const { format, encoding, delimiter, has_header: hasHeader } = record.options
  return tables!.read(readParts(record, storage, tables!), {
    ...{ format, hasHeader },
    ...(encoding !== null && { encoding }),
    ...(delimiter !== null && { delimiter }),
  })
}

async function* readParts(
  { id, workspace_id, parts }: ImportRecord,
  storage: Ports['storage'],
  { decode }: Tables,
): AsyncGenerator<Uint8Array> {
  for (let number = 0; number < parts; number += 1) {
    const content = await storage.read((tx) => loadPart(id, number, asService(tx, workspace_id)), {
      isolation: 'statement',
    })
    yield decode(content)
  }
}

async function loadPart(importId: string, number: number, { stores }: WorkspaceTransaction): Promise<string> {
  const [part] = await stores.import_parts.find([{ field: 'key', is: importKey(importId, number) }])
  // The import was deleted meanwhile: its runner finds that out.
  return part?.content ?? ''
}
