import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { acquireProcessLock } from './process-lock.ts'

/** Options of `restoreDatabase`. */
export interface RestoreOptions {
  /** The database to put in place. A log beside it, named after it, is taken along. */
  readonly backup: string
  /** The path of the database, which may be missing. */
  readonly file: string
  /** Rejects a copy that must not be put in place. */
  readonly check: (copy: string) => Promise<void>
}

const SIDE_FILES = ['-wal', '-shm', '-journal']

/**
 * Puts a copy of a backup in the place of a database, readable by its owner alone. The earlier files are moved
 * to a folder beside it. Nothing is changed unless the copy is complete, synced and passes its check.
 * @returns the folder with the earlier files, if there were any
 * @throws Error of one line, also when a process serves the database
 */
export async function restoreDatabase({ backup, file, check }: RestoreOptions): Promise<string | undefined> {
  const path = resolvePath(file)
  assertBackup(backup, path)
  const lock = acquireProcessLock(path)
  const copy = `${path}.restoring`
  try {
    removeDatabase(copy)
    copyDatabase(realpathSync(backup), copy)
    await check(copy)
    const aside = replaceDatabase(path, copy)
    syncFile(dirname(path), 'r')
    return aside
  } finally {
    removeDatabase(copy)
    lock.release()
  }
}

/** @throws Error when the path is a link to a missing file, which SQLite would create elsewhere */
function resolvePath(file: string): string {
  if (existsSync(file)) return realpathSync(file)
  if (lstatSync(file, { throwIfNoEntry: false }))
    throw new Error(`${file} is a symbolic link to a missing file. Correct or remove the link.`)
  return file
}

function assertBackup(backup: string, path: string): void {
  if (!existsSync(backup)) throw new Error(`There is no backup ${backup}. Name the file to restore.`)
  if (existsSync(path) && realpathSync(backup) === path)
    throw new Error(`${backup} is the database itself. Name a backup.`)
}

/** @throws Error of one line */
function copyDatabase(backup: string, copy: string): void {
  try {
    copyFile(backup, copy)
    if (existsSync(`${backup}-wal`)) copyFile(`${backup}-wal`, `${copy}-wal`)
  } catch (error) {
    const { message } = error as Error
    throw new Error(
      `Cannot copy ${backup} to ${dirname(copy)} (${message}). Make room, or let this user write there.`,
      {
        cause: error,
      },
    )
  }
}

function copyFile(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL)
  chmodSync(to, 0o600)
  syncFile(to, 'r+')
}

/** Moves the earlier files aside, or back if the copy cannot take their place. */
function replaceDatabase(path: string, copy: string): string | undefined {
  const present = ['', ...SIDE_FILES].map((suffix) => path + suffix).filter((each) => existsSync(each))
  const aside = join(dirname(path), `aside-${new Date().toISOString().replaceAll(':', '')}`)
  if (present.length > 0) mkdirSync(aside, { mode: 0o700 })
  const asideName = (each: string) => join(aside, basename(each))
  try {
    for (const each of present) renameSync(each, asideName(each))
    renameSync(copy, path)
  } catch (error) {
    for (const each of present) if (existsSync(asideName(each))) renameSync(asideName(each), each)
    throw error
  }
  return present.length > 0 ? aside : undefined
}

function removeDatabase(path: string): void {
  for (const suffix of ['', ...SIDE_FILES]) rmSync(path + suffix, { force: true })
}

/** Must not be called on a database that this process has open: closing it would release its locks. */
function syncFile(path: string, mode: 'r' | 'r+'): void {
  const descriptor = openSync(path, mode)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
