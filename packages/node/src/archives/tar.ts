import type { ArchiveEntry } from '@sales-crm/core'
import { packTar } from 'modern-tar'

/** Two blocks of zeros end a tar file. */
const END_BYTES = 1024

/** The end of a tar file. */
export const TAR_END: Uint8Array<ArrayBuffer> = new Uint8Array(END_BYTES)

/** An entry of a tar file. Equal entries have equal bytes. */
export async function packEntry({ name, content }: ArchiveEntry): Promise<Uint8Array<ArrayBuffer>> {
  const body = Buffer.from(content)
  const header = { name, size: body.length, mode: 0o600, mtime: new Date(0) }
  // A file of one entry, without its end.
  const file = await packTar([{ header, body }])
  return file.subarray(0, -END_BYTES)
}

/** The bytes of an archive, entry by entry: those of a file of `ArchiveFileWriter` that is not compressed. */
export async function* packArchive(
  entries: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  for await (const entry of entries) yield await packEntry(entry)
  yield TAR_END
}
