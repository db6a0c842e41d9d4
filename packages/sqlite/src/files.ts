import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Connection } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { connectionTo } from './connection.ts'
import { openReader, openWriter } from './open-file.ts'

/** A connection, its prepared statements, and how its transactions begin and end. */
export interface Line {
  readonly file: Database.Database
  readonly connection: Omit<Connection, 'attempt'>
  readonly run: (text: Step) => void
  /** Whether commits wait for the disk, as they do at first. Not within a transaction. */
  readonly sync: (isWaitedFor: boolean) => void
}

type Step = 'begin' | 'begin immediate' | 'commit' | 'rollback' | `${'savepoint' | 'release' | 'rollback to'} ${'job' | 'part'}`

interface Opened {
  readonly inode: bigint
  readonly writer: Line
  readonly reader: Line
}

export interface Files {
  /** @throws Error when the file is gone or cannot be opened again */
  writer(): Line
  reader(): Line
  /** After a fault of the disk or the file, both connections are opened anew when they are next asked for. */
  note(error: unknown): void
  /** The failure that showed the file to be damaged. It does not get well by itself: only another file in its place does away with that. */
  damage(): Error | undefined
  /** How many bytes are left on the disk. */
  room(): number
  close(): void
}

/**
 * After these, what a connection remembers of the file may be wrong. Not after a write or an fsync that failed: the connections know that it
 * was never committed, while those opened anew would find it in the log and take it for committed.
 */
const DISTRUST = /^SQLITE_(IOERR(?!_(WRITE|(DIR_)?FSYNC|TRUNCATE)$)|CORRUPT|NOTADB|CANTOPEN|READONLY)/

const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/

/** For so long a reader believes that the file under the path is the one it has open. To look each time costs more than to read a record. */
const BELIEVED_MS = 5

/** One connection that writes and one that reads, opened again when the file under the path is another. */
export function openFiles(path: string): Files {
  let opened: Opened | undefined = open(path)
  let distrusted = false
  let seenAt = Number.NEGATIVE_INFINITY
  let damage: { readonly error: Error; readonly inode: bigint | undefined } | undefined

  function sound(): Opened {
    const inode = inodeOf(path)
    if (inode !== damage?.inode) damage = undefined
    if (distrusted || (opened && inode !== opened.inode)) closeAll()
    if (inode === undefined) throw new Error(`The database ${path} is gone.`)
    opened ??= open(path)
    seenAt = performance.now()
    return opened
  }

  function closeAll(): void {
    opened?.reader.file.close()
    opened?.writer.file.close()
    opened = undefined
    distrusted = false
  }

  return {
    writer: () => sound().writer,
    reader() {
      const isBelieved = opened !== undefined && !distrusted && performance.now() - seenAt < BELIEVED_MS
      return isBelieved ? opened!.reader : sound().reader
    },
    note(error) {
      if (!(error instanceof Database.SqliteError)) return
      distrusted ||= DISTRUST.test(error.code)
      if (DAMAGED.test(error.code)) damage ??= { error, inode: opened?.inode }
    },
    damage: () => damage?.error,
    room() {
      const { bavail, bsize } = statfsSync(dirname(path))
      return bavail * bsize
    },
    close: closeAll,
  }
}

function open(path: string): Opened {
  const writer = lineTo(openWriter(path))
  // From here on the writer waits without holding up the event loop.
  writer.file.pragma('busy_timeout = 0')
  // What a savepoint or a statement could take back is kept in memory: in a file it would cost more than the change itself.
  writer.file.pragma('temp_store = MEMORY')
  return { writer, reader: lineTo(openReader(path)), inode: inodeOf(path)! }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino
}

function lineTo(file: Database.Database): Line {
  const prepared = new Map<string, Database.Statement>()
  let synced = true
  return {
    file,
    connection: connectionTo(file),
    run(text) {
      let statement = prepared.get(text)
      if (!statement) {
        statement = file.prepare(text)
        prepared.set(text, statement)
      }
      statement.run()
    },
    sync(isWaitedFor) {
      if (isWaitedFor === synced) return
      // Should this fail, commits may wait needlessly, but none that must does not.
      synced = false
      file.pragma(`synchronous = ${isWaitedFor ? 'FULL' : 'NORMAL'}`)
      synced = isWaitedFor
    },
  }
}
