/** An entry of an archive: a name and a text. */
export interface ArchiveEntry {
  readonly name: string
  readonly content: string
}

interface Hashing {
  /** SHA-256 of the UTF-8 of a text, in hex. */
  sha256(content: string): string
}

/** Where an export writes an archive to. */
export interface ArchiveWriter extends Hashing {
  /** Adds an entry. Resolves when there is room for the next one. */
  write(entry: ArchiveEntry): Promise<void>
}

/** Where an import reads an archive from. */
export interface ArchiveReader extends Hashing {
  /** All entries in order. Each call begins with the first. @throws Error for a file that is no archive, or is damaged */
  entries(): AsyncIterable<ArchiveEntry>
}

/** Called with the number of records of a collection that are done. */
export type ReportProgress = (collection: string, done: number, total: number) => void
