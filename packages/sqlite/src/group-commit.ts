import type { Connection } from '@sales-crm/sql'
import type Database from 'better-sqlite3'

/** How many transactions share a commit at most, so that none waits long for its answer. */
const GROUP = 128

interface Job {
  readonly work: (connection: Connection) => Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs transactions one after another, each in a savepoint of one open transaction, and answers them all once that is on the
 * disk. One that throws takes back its own savepoint alone. What arrives in the same turn of the event loop shares a commit;
 * a lone transaction waits for nobody.
 */
export function groupCommit(file: Database.Database, connection: Connection) {
  const [begin, commit, rollback] = ['begin immediate', 'commit', 'rollback'].map((text) => file.prepare(text)) as [Run, Run, Run]
  const [save, release, undo] = ['savepoint job', 'release job', 'rollback to job'].map((text) => file.prepare(text)) as [Run, Run, Run]
  const waiting: Job[] = []
  let draining: Promise<void> | undefined

  function transact<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (result: unknown) => void, reject })
      draining ??= new Promise<void>((next) => setImmediate(next)).then(drain)
    })
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) await commitGroup()
    draining = undefined
  }

  async function commitGroup(): Promise<void> {
    const group: Job[] = []
    const answers: (() => void)[] = []
    try {
      begin.run()
      for (let job = waiting.shift(); job; job = group.length < GROUP ? waiting.shift() : undefined) {
        group.push(job)
        answers.push(await outcomeOf(job))
      }
      commit.run()
    } catch (error) {
      if (file.inTransaction) rollback.run()
      for (const { reject } of group.length > 0 ? group : waiting.splice(0)) reject(error)
      return
    }
    for (const answer of answers) answer()
  }

  async function outcomeOf({ work, resolve, reject }: Job): Promise<() => void> {
    save.run()
    try {
      const result = await work(connection)
      release.run()
      return () => resolve(result)
    } catch (error) {
      // A full disk ends the whole transaction, and with it the jobs before this one.
      if (!file.inTransaction) throw error
      undo.run()
      release.run()
      return () => reject(error)
    }
  }

  return { transact, idle: () => draining ?? Promise.resolve() }
}

type Run = Database.Statement
