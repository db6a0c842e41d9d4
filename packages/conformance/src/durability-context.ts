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
   * Writes pairs of records in a process of its own, one pair in each transaction, and kills it.
   * @returns the ids of the pairs whose commit it has reported
   */
  async writeUntilKilled(sample: Row, pairs: number): Promise<readonly (readonly [string, string])[]> {
    await this.close()
    const { module, exportName, args } = this.#opening
    const task = JSON.stringify({ module, exportName, args, workspace: this.workspace, sample })
    const child = spawn(process.execPath, ['--input-type=module', '--eval', WRITER, task], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exit = once(child, 'exit')
    const committed: [string, string][] = []
    for await (const line of createInterface({ input: child.stdout })) {
      committed.push(JSON.parse(line))
      if (committed.length === pairs) child.kill('SIGKILL')
    }
    await exit
    return committed
  }
}

type OpenStorage = (...args: readonly unknown[]) => Storage | Promise<Storage>

/** Runs until it is killed. */
const WRITER = `
const { module, exportName, args, workspace, sample } = JSON.parse(process.argv[1])
const storage = await (await import(module))[exportName](...args)
for (;;) {
  const ids = [crypto.randomUUID(), crypto.randomUUID()]
  await storage.transact(async (tx) => {
    const { snapshots } = tx.workspace(workspace)
    for (const id of ids) await snapshots.insert({ ...sample, id })
  })
  process.stdout.write(JSON.stringify(ids) + '\\n')
}
`
