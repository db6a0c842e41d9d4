import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { MAX_IMPORT_BYTES } from '@sales-crm/core/declarations'

const MB = 1_000_000

/** A file to import. */
export class InputFile {
  readonly name: string
  readonly size: number
  readonly #path: string
  readonly #handle: FileHandle

  private constructor(path: string, size: number, handle: FileHandle) {
    this.name = basename(path)
    this.size = size
    this.#path = path
    this.#handle = handle
  }

  /** @throws Error of one line for a file that cannot be imported */
  static async open(path: string): Promise<InputFile> {
    const handle = await open(path).catch((error: unknown) => {
      throw readError(path, error)
    })
    try {
      const stat = await handle.stat()
      if (!stat.isFile()) throw new Error(`${path} is no file. Name one of CSV, TSV or NDJSON.`)
      if (stat.size === 0) throw new Error(`${path} is empty. Name a file with a header and rows.`)
      if (stat.size > MAX_IMPORT_BYTES)
        throw new Error(
          `${path} has ${Math.ceil(stat.size / MB)} MB, and an import takes ${MAX_IMPORT_BYTES / MB} at most. Split it into files that each have the header.`,
        )
      return new InputFile(path, stat.size, handle)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** @throws Error of one line if the file has become shorter */
  async read(offset: number, maxBytes: number): Promise<Uint8Array> {
    const length = Math.min(maxBytes, this.size - offset)
    const bytes = Buffer.alloc(length)
    for (let done = 0; done < length; ) {
      const { bytesRead } = await this.#handle.read(bytes, done, length - done, offset + done)
      if (bytesRead === 0)
        throw new Error(`${this.#path} was changed while it was read. Run the import again.`)
      done += bytesRead
    }
    return bytes
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

/** An error of one line for a file that cannot be opened. */
export function readError(path: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new Error(`There is no file ${path}. Check its name and folder.`)
  return new Error(`Cannot read ${path} (${code ?? message}). Name a file that this user may read.`)
}
