import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Storage } from '@sales-crm/core/ports'
import { newId } from './case.ts'
import type { Row } from './collections.ts'

/** How a store is opened, here and in a process of its own: an exported function and its arguments. */
export interface StoreOpening {
  /** URL of the module, such as `import.meta.resolve('@sales-crm/sqlite')`. */
  readonly module: string
  /** Name of the function that opens the store. */
  readonly exportName: string
  /** The same database at each call. Values that JSON can hold. */
  readonly args: readonly unknown[]
}

/** A store that can be opened again, with an unused workspace. */
export class DurabilityContext {
  readonly workspace = newId()
  readonly #opening: StoreOpening
  #storage: Storage | undefined

  constructor(opening: StoreOpening) {
    this.#opening = opening
  }

  /** Opens the store, after closing it if it was open. */
  async reopen(): Promise<Storage> {
    await this.close()
    const { module, exportName, args } = this.#opening
    const { [exportName]: open } = (await import(module)) as Readonly<Record<string, OpenStorage>>
    this.#storage = await open!(...args)
    return this.#storage
  }

  async close(): Promise<void> {
    await this.#storage?.close()
    this.#storage = undefined
  }

  /**
   * Writes copies of a record in a process of its own, some in each transaction, and kills it.
   * @param transactions commits before the kill. A fraction is one of the time that a commit took on average
   * @returns the ids of the records whose commit it has reported, by transaction
   */
  async writeUntilKilled(
    sample: Row,
    transactions: number,
    records: number,
  ): Promise<readonly (readonly string[])[]> {
    await this.close()
    const { module, exportName, args } = this.#opening
    const task = JSON.stringify({ module, exportName, args, workspace: this.workspace, sample, records })
    const child = spawn(process.execPath, ['--input-type=module', '--eval', WRITER, task], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exit = once(child, 'exit')
    const committed: string[][] = []
    let firstCommitAt = 0
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        committed.push(JSON.parse(line))
        if (committed.length === 1) firstCommitAt = performance.now()
        if (committed.length !== Math.floor(transactions)) continue
        const average = (performance.now() - firstCommitAt) / (committed.length - 1)
        setTimeout(() => child.kill('SIGKILL'), average * (transactions % 1))
      }
    } catch (error) {
      // The kill may cut the line that is being reported.
      if (!child.killed) throw error
    }
    await exit
    return committed
  }
}

type OpenStorage = (...args: readonly unknown[]) => Storage | Promise<Storage>

/** Runs until it is killed. */
const WRITER = `
const { module, exportName, args, workspace, sample, records } = JSON.parse(process.argv[1])
const storage = await (await import(module))[exportName](...args)
for (;;) {
  const ids = Array.from({ length: records }, () => crypto.randomUUID())
  await storage.transact(async (tx) => {
    const { snapshots } = tx.workspace(workspace)
    for (const id of ids) await snapshots.insert({ ...sample, id })
  })
  process.stdout.write(JSON.stringify(ids) + '\\n')
}
`
