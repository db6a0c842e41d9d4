import { ArchiveFileReader, ArchiveFileWriter } from '@sales-crm/node'
import { type Command, type CommandContext, withOpenStore } from './command.ts'
import { formatTable } from './table.ts'
import { WORKSPACE } from './workspace-commands.ts'

export const ARCHIVE_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'workspace export',
    {
      summary: 'write a workspace to an archive, without secrets, as it is at one moment',
      options: {
        workspace: WORKSPACE,
        output: { value: 'FILE', help: 'the archive; compressed if it ends with .gz', required: true },
      },
      run: exportArchive,
    },
  ],
  [
    'workspace import',
    {
      summary: 'write the workspace of an archive to the database: all of it, or nothing',
      options: {},
      operand: 'FILE',
      run: importArchive,
    },
  ],
]

async function exportArchive(context: CommandContext): ReturnType<Command['run']> {
  const { output, workspace } = context.fields as { readonly output: string; readonly workspace: string }
  return withOpenStore(context, async ({ crm, storage }) => {
    const writer = await ArchiveFileWriter.create(output)
    try {
      const { schemaVersion: schema } = storage
      const summary = await crm.operator.exportWorkspace(
        { workspace },
        {
          writer,
          schema,
          onProgress: report(context),
        },
      )
      context.progress('')
      return { value: { file: output, ...summary, ...(await writer.finish()) } }
    } finally {
      await writer.discard()
    }
  })
}

async function importArchive(context: CommandContext): ReturnType<Command['run']> {
  const file = context.operand
  const reader = new ArchiveFileReader(file)
  return withOpenStore(context, async ({ crm, storage, ports }) => {
    context.progress(`Checking ${file}`)
    const { schemaVersion: schema } = storage
    const summary = await crm.operator.importWorkspace({ reader, schema, onProgress: report(context) })
    context.progress('')
    const value = { file, ...summary, ...(await reader.measure()) }
    const next = `Members without a password here request one at ${ports.issuer}. Webhooks of the console are turned off until an owner or admin takes them over.`
    return { value, text: `${formatTable(value)}\n\n${next}` }
  })
}

function report({ progress }: CommandContext) {
  return (collection: string, done: number, total: number) => progress(`${collection} ${done} of ${total}`)
}
