import { realpathSync, renameSync, rmSync } from 'node:fs'
import type { FileConnection } from './file-connection.ts'
import { type FileIdentity, isSameFile, type LogLoss, readStats } from './log-files.ts'

/**
 * Copies the whole log into the database file and moves a file in its place aside.
 * @returns a line for the operator
 * @throws Error when another connection still reads from the log
 */
export function saveLog(
  {
    reader,
    writer,
    realPath,
  }: { readonly reader: FileConnection; readonly writer: FileConnection; readonly realPath: string },
  loss: LogLoss,
): string {
  const lost = `The log ${realPath}-wal was removed or replaced while in use`
  // The reader would hold up the checkpoint; nothing can be read from the log after it.
  reader.db.close()
  const [state] = writer.db.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[]
  if (state!.busy !== 0)
    throw new Error(`${lost}, and its content cannot be saved yet, because another process reads from it.`)
  const stray = loss === 'replaced' ? ` The file in its place is now ${moveLogAside(realPath)}.` : ''
  return `${lost}. Its content was saved in ${realPath}.${stray} Find out what removed it.`
}

/**
 * Moves the log of an earlier file aside: SQLite would apply it to the file that took its place.
 * @returns a line for the operator
 */
export function replacementNotice(path: string, earlierLog: FileIdentity): string {
  const realPath = realpathSync(path)
  const message = `Another file was put in the place of ${path} and is served now.`
  if (!isSameFile(readStats(`${realPath}-wal`), earlierLog)) return message
  const stray = moveLogAside(realPath)
  rmSync(`${realPath}-shm`, { force: true })
  return `${message} The log of the earlier file is ${stray}. Stop the service before replacing a file.`
}

/** Returns the new path. SQLite never reads it. */
function moveLogAside(realPath: string): string {
  const stray = `${realPath}-wal.stray-${new Date().toISOString().replaceAll(':', '')}`
  renameSync(`${realPath}-wal`, stray)
  return stray
}

export function logEmptiedError(realPath: string): Error {
  return new Error(
    `The log ${realPath}-wal was emptied by another program: the writes since the last checkpoint are lost. ` +
      'Stop the service. Then restore a backup, or start it to go on without these writes.',
  )
}
