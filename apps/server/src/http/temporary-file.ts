import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CHUNK_BYTES = 64 * 1024

export interface StreamOptions {
  /** Milliseconds in which a reader takes each part of the file. */
  readonly unreadMs: number
  /** Cuts the connection of a reader that does not. */
  readonly disconnect: () => void
}

/**
 * A file without a name: it is removed as soon as it is open, so that it goes away with its handle, also if the process
 * is killed. Only this user can have opened it before.
 */
export class TemporaryFile {
  readonly #handle: FileHandle

  static async create(): Promise<TemporaryFile> {
    const folder = await mkdtemp(join(tmpdir(), 'crm-'))
    try {
      return new TemporaryFile(await open(join(folder, 'export'), 'wx+', 0o600))
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async write(content: string | Uint8Array): Promise<void> {
    await this.#handle.appendFile(content)
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size
  }

  /** The content from its beginning. The file is closed when it has been read, or the stream was canceled. */
  toStream({ unreadMs, disconnect }: StreamOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
    let position = 0
    let timer: NodeJS.Timeout | undefined
    const close = () => {
      clearTimeout(timer)
      return this.close()
    }
    const awaitReader = () => {
      timer = setTimeout(() => {
        disconnect()
        void close()
      }, unreadMs)
    }
    return new ReadableStream(
      {
        start: awaitReader,
        pull: async (controller) => {
          clearTimeout(timer)
          const { bytesRead, buffer } = await this.#handle.read(new Uint8Array(CHUNK_BYTES), { position })
          position += bytesRead
          if (bytesRead === 0) {
            await close()
            controller.close()
          } else {
            controller.enqueue(buffer.subarray(0, bytesRead))
            awaitReader()
          }
        },
        cancel: close,
      },
      // Nothing is read before it is asked for.
      { highWaterMark: 0 },
    )
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
