import { createHash } from 'node:crypto'
import type { ArchiveEntry, ArchiveReader, ArchiveWriter } from '../src/index.ts'

/** An archive in memory, whose entries a test may change. */
export class MemoryArchive implements ArchiveWriter, ArchiveReader {
  readonly list: ArchiveEntry[]

  constructor(list: readonly ArchiveEntry[] = []) {
    this.list = [...list]
  }

  async write(entry: ArchiveEntry): Promise<void> {
    this.list.push(entry)
  }

  async *entries(): AsyncGenerator<ArchiveEntry> {
    yield* this.list
  }

  sha256(content: string): string {
    return createHash('sha256').update(content).digest('hex')
  }

  /** The records of a collection. */
  records(collection: string): Readonly<Record<string, unknown>>[] {
    return this.list
      .filter(({ name }) => name.startsWith(`${collection}/`))
      .flatMap(({ content }) => content.split('\n').slice(0, -1))
      .map((line) => JSON.parse(line))
  }

  /** A copy with other entries, and a manifest that fits them: what somebody who knows the format can make. */
  forge(change: (entry: ArchiveEntry) => ArchiveEntry): MemoryArchive {
    const entries = this.list.slice(0, -1).map(change)
    const manifest = {
      ...JSON.parse(this.list.at(-1)!.content),
      entries: entries.map(({ name, content }) => ({ name, sha256: this.sha256(content) })),
    }
    return new MemoryArchive([...entries, { name: 'manifest.json', content: JSON.stringify(manifest) }])
  }
}
