import * as v from 'valibot'
import { uuid } from '../../kernel/field-schemas.ts'
import { slug } from '../workspaces/workspace.ts'
import { archiveError, damagedArchive } from './archive-error.ts'
import { collectionOf } from './archive-parts.ts'
import type { ArchiveReader } from './archive-ports.ts'
import { ARCHIVED_SHAPES } from './archived-collections.ts'

/** The last entry: an archive without it was cut off. */
export const MANIFEST_NAME = 'manifest.json'
export const ARCHIVE_FORMAT = 1

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const manifestSchema = v.object({
  format: count,
  schema: count,
  workspace: v.object({ id: uuid, slug, name: v.string() }),
  records: v.record(v.string(), count),
  entries: v.array(v.object({ name: v.string(), sha256: v.string() })),
})

/** What an archive has: the numbers of records by collection, and the SHA-256 of each other entry, in order. */
export type Manifest = v.InferOutput<typeof manifestSchema>

/**
 * Reads all of an archive, and compares every entry with the manifest.
 * @param schema the version of the tables of this program
 * @throws CrmError `bad_request` for an archive that is damaged, of another schema, or has unknown collections
 */
export async function readManifest(reader: ArchiveReader, schema: number): Promise<Manifest> {
  const entries: Manifest['entries'] = []
  let manifest: Manifest | undefined
  for await (const { name, content } of reader.entries()) {
    if (manifest) throw damagedArchive(`goes on after ${MANIFEST_NAME}`)
    if (name === MANIFEST_NAME) manifest = parseManifest(content)
    else entries.push({ name, sha256: reader.sha256(content) })
  }
  if (!manifest) throw damagedArchive(`ends before ${MANIFEST_NAME}`)
  assertKnown(manifest, schema)
  assertEntries(manifest, entries)
  return manifest
}

function parseManifest(content: string): Manifest {
  try {
    const { output, success } = v.safeParse(manifestSchema, JSON.parse(content))
    if (success) return output
  } catch {
    // Refused below.
  }
  throw damagedArchive(`has a ${MANIFEST_NAME} that cannot be read`)
}

function assertKnown({ format, schema: archived, entries, records }: Manifest, schema: number): void {
  if (format > ARCHIVE_FORMAT || archived > schema)
    throw archiveError(
      `was made by a newer version of this program (schema ${archived}, this one has ${schema}). Run that version or a later one.`,
    )
  if (archived < schema)
    throw archiveError(
      `was made by an earlier version of this program (schema ${archived}, this one has ${schema}). Upgrade the service it is from and export again, or import it with that version and upgrade then.`,
    )
  const names = [...entries.map(({ name }) => collectionOf(name)), ...Object.keys(records)]
  const unknown = names.find((name) => !ARCHIVED_SHAPES.has(name))
  if (unknown !== undefined) throw archiveError(`has a collection that is not known here: ${unknown}.`)
}

/** @throws CrmError `bad_request` unless both lists are the same */
export function assertEntries({ entries: expected }: Manifest, entries: Manifest['entries']): void {
  const length = Math.max(expected.length, entries.length)
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [expected[index], entries[index]]
    if (one?.name !== other?.name || one?.sha256 !== other?.sha256)
      throw damagedArchive(`has an entry ${(other ?? one)!.name} that is not the one of its manifest`)
  }
}
