// Imports an archive up to its sixth entry, says so, and waits for the end of its process.
import { type ArchiveEntry, type ArchiveReader, createCrm } from '@sales-crm/core'
import { ArchiveFileReader } from '@sales-crm/node'
import { openStore } from '../../src/process/open-store.ts'
import { environment, loadSettings } from '../../src/process/settings.ts'

class InterruptedReader extends ArchiveFileReader implements ArchiveReader {
  #calls = 0

  override async *entries(): AsyncGenerator<ArchiveEntry> {
    // The first call checks the archive.
    this.#calls += 1
    let count = 0
    for await (const entry of super.entries()) {
      count += 1
      if (this.#calls === 2 && count === 6) await waitForEver()
      yield entry
    }
  }
}

async function waitForEver(): Promise<void> {
  console.log('Half of it is written.')
  setInterval(() => {}, 1000)
  await new Promise(() => {})
}

const { ports, storage } = await openStore(loadSettings(environment()), { isServer: false })
const reader = new InterruptedReader(process.argv[2]!)
await createCrm(ports).operator.importWorkspace({ reader, schema: storage.schemaVersion })
