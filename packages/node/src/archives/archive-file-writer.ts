import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { access, type FileHandle, open, rename, rm } from 'node:fs/promises'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { ArchiveEntry, ArchiveWriter } from '@sales-crm/core'
import { sha256 } from './sha256.ts'
import { packEntry, TAR_END } from './tar.ts'

/** What `ArchiveFileWriter.finish` returns. */
export interface WrittenArchive {
  readonly bytes: number
  /** Of the file, in hex. */
  readonly sha256: string
}

/**
 * Writes a tar file, compressed if its name ends with `.gz` or `.tgz`, readable by its owner alone. Equal entries make
 * equal files. The file has its name once it is complete; until then it ends with `.partial`.
 */
export class ArchiveFileWriter implements ArchiveWriter {
  readonly #file: string
  readonly #partialFile: string
  readonly #tar = new PassThrough()
  readonly #hash = createHash('sha256')
  readonly #written: Promise<void>
  #bytes = 0

  private constructor(file: string, partialFile: string, handle: FileHandle) {
    this.#file = file
    this.#partialFile = partialFile
    this.#written = this.#writeFile(handle)
    // Reported by the next call.
    this.#written.catch(() => {})
  }

  /** @throws Error of one line if there is a file of that name, or none can be made */
  static async create(file: string): Promise<ArchiveFileWriter> {
    if (await exists(file)) throw new Error(`${file} exists already. Name a file that does not.`)
    const partialFile = `${file}.partial`
    const handle = await open(partialFile, 'w', 0o600).catch((error: unknown) => {
      throw writeError(partialFile, error)
    })
    return new ArchiveFileWriter(file, partialFile, handle)
  }

  /** A file that takes no more never asks for the rest of an entry. */
  async write(entry: ArchiveEntry): Promise<void> {
    await Promise.race([this.#written, this.#addEntry(entry)])
  }

  sha256(content: string): string {
    return sha256(content)
  }

  /** @throws Error of one line */
  async finish(): Promise<WrittenArchive> {
    this.#tar.end(TAR_END)
    await this.#written
    await rename(this.#partialFile, this.#file)
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }

  /** Ends the writing, and removes what was written. */
  async discard(): Promise<void> {
    this.#tar.destroy()
    await this.#written.catch(() => {})
    await rm(this.#partialFile, { force: true })
  }

  async #addEntry(entry: ArchiveEntry): Promise<void> {
    if (!this.#tar.write(await packEntry(entry))) await once(this.#tar, 'drain')
  }

  async #writeFile(handle: FileHandle): Promise<void> {
    const count = new Transform({
      transform: (chunk: Buffer, _, done) => {
        this.#hash.update(chunk)
        this.#bytes += chunk.length
        done(null, chunk)
      },
    })
    const compressed = /\.(gz|tgz)$/.test(this.#file) ? [createGzip()] : []
    try {
      const target = handle.createWriteStream({ flush: true })
      await pipeline([this.#tar, ...compressed, count, target])
    } catch (error) {
      throw writeError(this.#partialFile, error)
    }
  }
}

function writeError(file: string, error: unknown): Error {
  const { message } = error as Error
  return new Error(
    `Cannot write ${file} (${message}). Name a file in a folder where this user may write, on a disk with room.`,
    { cause: error },
  )
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
