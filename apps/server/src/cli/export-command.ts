import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ExportApi } from '@sales-crm/core'
import { EXPORT_KINDS, type ExportFormat, type ExportKind } from '@sales-crm/core/declarations'
import { TemporaryFile } from '../http/temporary-file.ts'
import {
  type Command,
  type CommandContext,
  type CommandResult,
  UsageError,
  withOpenStore,
} from './command.ts'
import { RowCounter } from './files/row-counter.ts'
import { writeWholeFile } from './files/whole-file.ts'
import { loadMember } from './member-option.ts'
import { WORKSPACE } from './workspace-commands.ts'

interface ExportFields {
  readonly workspace: string
  readonly kind: ExportKind
  readonly format?: ExportFormat
  readonly output?: string
}

/** A pager may wait for its reader. */
const UNREAD_MS = 2_147_483_647

export const exportCommand: Command = {
  summary: 'write all records of a kind, as they are at one moment, as CSV or NDJSON',
  options: {
    workspace: WORKSPACE,
    kind: { value: 'KIND', help: EXPORT_KINDS.join(', '), required: true },
    format: { value: 'FORMAT', help: 'csv, the default, or ndjson' },
    output: { value: 'FILE', help: 'the file, which is replaced if it exists; default the standard output' },
  },
  run: runExport,
}

async function runExport(context: CommandContext): Promise<CommandResult> {
  const { workspace, kind, format = 'csv', output } = context.fields as unknown as ExportFields
  if (!EXPORT_KINDS.includes(kind)) throw new UsageError(`--kind must be one of: ${EXPORT_KINDS.join(', ')}.`)
  if (output === undefined && context.json)
    throw new UsageError('--json needs --output: the records themselves are on the standard output.')
  return withOpenStore(context, async ({ crm }) => {
    const owner = await loadMember(crm, { workspace })
    const counter = new RowCounter(format, (rows) => context.progress(`Writing ${kind}: ${rows}`))
    const texts = counter.count((crm[kind] as ExportApi<object>).export(owner, { format }))
    await (output === undefined ? printTexts(texts) : writeWholeFile(output, texts))
    context.progress('')
    return { value: { rows: counter.rows }, isPrinted: output === undefined }
  })
}

/** The records are stored before they are printed, since a reader may be slow and the database should not wait for it. */
async function printTexts(texts: AsyncIterable<string>): Promise<void> {
  const file = await TemporaryFile.create()
  try {
    for await (const text of texts) await file.write(text)
  } catch (error) {
    await file.close()
    throw error
  }
  const stream = file.toStream({ unreadMs: UNREAD_MS, disconnect() {} })
  await pipeline(Readable.fromWeb(stream as never), process.stdout, { end: false }).catch(
    (error: unknown) => {
      const isClosed = (error as NodeJS.ErrnoException).code === 'EPIPE'
      throw isClosed ? new Error('The standard output was closed before the last record.') : error
    },
  )
}
