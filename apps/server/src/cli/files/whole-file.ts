import { open, rename, rm } from 'node:fs/promises'

/**
 * Writes a text under a name that ends with `.partial`, and gives it its own name once it is complete. A file of that name is
 * replaced.
 * @throws Error of one line for a file that cannot be written, and what `texts` throws
 */
export async function writeWholeFile(path: string, texts: AsyncIterable<string>): Promise<void> {
  const partialPath = `${path}.partial`
  const explain = (error: unknown): never => {
    throw writeError(path, error)
  }
  const handle = await open(partialPath, 'w', 0o600).catch(explain)
  try {
    for await (const text of texts) await handle.appendFile(text).catch(explain)
    await handle.sync().catch(explain)
    await rename(partialPath, path).catch(explain)
  } catch (error) {
    await rm(partialPath, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

function writeError(path: string, error: unknown): Error {
  const { message } = error as Error
  return new Error(
    `Cannot write ${path} (${message}). Name a file in a folder where this user may write, on a disk with room.`,
    { cause: error },
  )
}
