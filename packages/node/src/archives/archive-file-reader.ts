import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableWritablePair } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
import type { ArchiveEntry, ArchiveReader } from '@sales-crm/core'
import type { ParsedTarEntry } from 'modern-tar'
import type { WrittenArchive } from './archive-file-writer.ts'
import { sha256 } from './sha256.ts'

/** Several times the longest entry that an export writes: entries are read as a whole. */
const MAX_ENTRY_BYTES = 16 * 1024 * 1024
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])

/** Reads a tar file, compressed or not, entry by entry. Nothing of it is written to the disk. */
export class ArchiveFileReader implements ArchiveReader {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  async *entries(): AsyncGenerator<ArchiveEntry> {
    const source = await this.#openFile()
    const { createTarDecoder } = await import('modern-tar')
    const decoder = createTarDecoder({ strict: true }) as ReadableWritablePair<ParsedTarEntry, Uint8Array>
    try {
      for await (const { header, body } of Readable.toWeb(source).pipeThrough(decoder)) {
        const { name, size, type } = header
        if (type !== 'file' || size > MAX_ENTRY_BYTES)
          throw new Error(`${name} is no entry that an export writes`)
        yield { name, content: await readText(body) }
      }
    } catch (error) {
      // An error of zlib may have a code alone.
      const { message, code = 'incomplete' } = error as NodeJS.ErrnoException
      throw new Error(
        `${this.#file} is damaged, or no archive of a workspace (${message || code}). Copy it again, or export the workspace again.`,
        { cause: error },
      )
    } finally {
      source.destroy()
    }
  }

  sha256(content: string): string {
    return sha256(content)
  }

  /** Bytes and SHA-256 of the file, as `ArchiveFileWriter.finish` returned them. */
  async measure(): Promise<WrittenArchive> {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of createReadStream(this.#file)) {
      hash.update(chunk)
      bytes += chunk.length
    }
    return { bytes, sha256: hash.digest('hex') }
  }

  async #openFile(): Promise<Readable> {
    const isCompressed = await this.#isCompressed()
    const file = createReadStream(this.#file)
    if (!isCompressed) return file
    const gunzip = createGunzip()
    file.on('error', (error) => gunzip.destroy(error))
    gunzip.on('close', () => file.destroy())
    return file.pipe(gunzip)
  }

  async #isCompressed(): Promise<boolean> {
    let handle: FileHandle | undefined
    try {
      handle = await open(this.#file)
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(GZIP_MAGIC.length),
        0,
        GZIP_MAGIC.length,
        0,
      )
      return buffer.subarray(0, bytesRead).equals(GZIP_MAGIC)
    } catch (error) {
      throw new Error(
        `Cannot read ${this.#file} (${(error as Error).message}). Name an archive that this user may read.`,
        { cause: error },
      )
    } finally {
      await handle?.close()
    }
  }
}

/** @throws TypeError for bytes that are not UTF-8 */
async function readText(entry: AsyncIterable<unknown>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of entry) chunks.push(chunk as Uint8Array)
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
}
