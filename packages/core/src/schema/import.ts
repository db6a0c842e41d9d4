import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

export const IMPORT_STATES = [
  'uploading',
  'reading',
  'unreadable',
  'ready',
  'checking',
  'checked',
  'waiting',
  'running',
  'paused',
  'done',
  'cancelled',
  'reverting',
  'reverted',
] as const

export type ImportState = (typeof IMPORT_STATES)[number]

export const FILE_FORMATS = ['csv', 'tsv', 'ndjson'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

/** A file whose rows become records, and how far it is. */
export interface Import extends RecordBase {
  readonly updated_at: Instant
  readonly workspace_id: string
  /** The member who began it, in whose name records are written. */
  readonly user_id: string
  /** The name of the file. */
  readonly name: string
  /** Bytes of the file. */
  readonly size: number
  /** Bytes that have arrived. */
  readonly received: number
  /** Number of `ImportPart`s. */
  readonly parts: number
  /** Number of `ImportChunk`s. */
  readonly chunks: number
  readonly state: ImportState
  /** As `ImportOptions`. */
  readonly options: object
  /** As `ImportColumn`; empty until the file is read. */
  readonly columns: readonly object[]
  /** As `ImportProgress`. */
  readonly progress: object
  /** As `CheckReport`; null until it is checked. */
  readonly report: object | null
  /** As `ImportProblem`: why the file cannot be read, or why the import is paused. */
  readonly problem: object | null
  /** When the background goes on with it; null if it waits for somebody. */
  readonly due_at: Instant | null
  /** When the file and what is needed to revert are deleted. */
  readonly expires_at: Instant
}

export const importShape = {
  columns: {
    workspace_id: 'uuid',
    user_id: 'uuid',
    name: 'text',
    size: 'integer',
    received: 'integer',
    parts: 'integer',
    chunks: 'integer',
    state: 'text',
    options: 'json',
    columns: 'json',
    progress: 'json',
    report: 'json?',
    problem: 'json?',
    due_at: 'instant?',
    expires_at: 'instant',
  },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const

/** A part of the file of an import. */
export interface ImportPart extends RecordBase {
  readonly updated_at: Instant
  /** As `importKey` builds it, from 0. */
  readonly key: string
  /** Base64. */
  readonly content: string
}

export const importPartShape = {
  columns: { key: 'text', content: 'text' },
  unique: ['key'],
  uniqueForever: [],
  foreignKeys: {},
} as const

/** What one transaction of an import has written. */
export interface ImportChunk extends RecordBase {
  readonly updated_at: Instant
  /** As `importKey` builds it, from 0. */
  readonly key: string
  /** As `RowResult`. */
  readonly results: readonly object[]
}

export const importChunkShape = {
  columns: { key: 'text', results: 'json' },
  unique: ['key'],
  uniqueForever: [],
  foreignKeys: {},
} as const

/** The key of a part or chunk: an index on numbers would be one more. */
export function importKey(importId: string, number: number): string {
  return `${importId}/${number}`
}
