import { CrmError, type ImportChanges, type ImportDetail } from '@sales-crm/core'
import type { OpenStore } from '../../process/open-store.ts'
import {
  type Command,
  type CommandContext,
  type CommandResult,
  UsageError,
  withOpenStore,
} from '../command.ts'
import { explainColumnsError, readColumnsFile } from '../files/columns-file.ts'
import { InputFile } from '../files/input-file.ts'
import { Interruption } from '../interruption.ts'
import { AS, loadMember } from '../member-option.ts'
import { WORKSPACE } from '../workspace-commands.ts'
import { ImportJob } from './import-job.ts'
import { checkResult, type ImportNames, runResult } from './import-results.ts'

interface ImportFields extends Omit<ImportNames, 'file'> {
  readonly kind?: string
  readonly columns?: string
  readonly match?: string
  readonly policy?: string
  readonly events?: string
  readonly dry_run?: true
  readonly resume?: string
}

export const importCommand: Command = {
  summary: 'make records of a file of CSV, TSV or NDJSON; the service may run',
  operand: 'FILE',
  options: {
    workspace: WORKSPACE,
    kind: { value: 'KIND', help: 'what the rows are, such as people; default by the names of the columns' },
    columns: { value: 'FILE', help: 'what the columns become: in JSON, the columns of a PATCH of an import' },
    match: {
      value: 'FIELD',
      help: 'by what a record is found, such as email, or none; default all that the columns have',
    },
    policy: {
      value: 'POLICY',
      help: 'what happens to a record that is found: fill its empty fields, the default; overwrite; keep',
    },
    events: {
      value: 'EVENTS',
      help: 'for webhooks: each, also of more than 100000 deliveries, or summary for a single one',
    },
    'dry-run': { value: '', help: 'check all rows, and write nothing', kind: 'flag' },
    as: AS,
    resume: { value: 'ID', help: 'go on with a paused import of FILE', names: 'Import' },
  },
  run: runImport,
}

async function runImport(context: CommandContext): Promise<CommandResult> {
  const fields = context.fields as unknown as ImportFields
  if (fields.resume !== undefined) return resumeImport(context, fields)
  const columns = fields.columns === undefined ? undefined : await readColumnsFile(fields.columns)
  const file = await InputFile.open(context.operand)
  return withJob(context, async (job) => {
    const stored = await job.store(file, fields.kind)
    const checked = await job.orDelete(stored.id, async () => {
      await changeImport(stored, fields, columns, job)
      if (fields.dry_run) return checkResult(await job.check(stored.id))
      return job.start(stored.id, { confirmsDeliveries: fields.events === 'each' })
    })
    if (!checked) return runResult(await job.finish(stored.id), namesOf(context), job)
    await job.delete(stored.id)
    return checked
  }).finally(() => file.close())
}

async function resumeImport(context: CommandContext, fields: ImportFields): Promise<CommandResult> {
  const { workspace: _workspace, email: _email, resume: id = '', ...others } = fields
  if (Object.keys(others).length > 0) throw new UsageError('--resume goes with --workspace and --as alone.')
  return withJob(context, async (job) => {
    await job.resume(id)
    return runResult(await job.finish(id), namesOf(context), job)
  })
}

async function withJob(
  context: CommandContext,
  work: (job: ImportJob) => Promise<CommandResult>,
): Promise<CommandResult> {
  const interruption = new Interruption()
  const run = async ({ crm }: OpenStore) => {
    const actor = await loadMember(crm, namesOf(context))
    const { signal } = interruption
    const { imports } = crm
    try {
      return await work(new ImportJob({ imports, actor, signal, onProgress: context.progress }))
    } catch (error) {
      throw explainRefusal(error, context)
    } finally {
      context.progress('')
      await imports.release()
    }
  }
  return withOpenStore(context, run).finally(() => interruption.stop())
}

/** Sets what the command line says. */
async function changeImport(
  stored: ImportDetail,
  { policy, events, match }: ImportFields,
  columns: ImportChanges['columns'],
  job: ImportJob,
): Promise<void> {
  const changes = {
    ...(columns && { columns }),
    ...(policy !== undefined && { policy }),
    ...(events !== undefined && { events }),
  } as ImportChanges
  const { kinds } = Object.keys(changes).length > 0 ? await job.update(stored.id, changes) : stored
  const [kind] = kinds
  if (match === undefined || kind === undefined) return
  await job.update(stored.id, { match: { [kind]: match === 'none' ? null : match } })
}

function explainRefusal(error: unknown, { fields, operand }: CommandContext): unknown {
  if (!(error instanceof CrmError) || !error.fields) return error
  const { columns, confirm_deliveries, state } = error.fields
  if (columns !== undefined)
    return new Error(`No column of ${operand} is recognized. Say what they become with --columns FILE.`)
  if (confirm_deliveries !== undefined)
    return new Error(
      'Webhooks may get more than 100000 deliveries. Choose --events summary or --events each.',
    )
  if (state !== undefined) return new Error(`The import cannot go on. ${state} Run it again later.`)
  return fields['columns'] === undefined ? error : explainColumnsError(String(fields['columns']), error)
}

function namesOf({ fields, operand }: CommandContext): ImportNames {
  return { ...(fields as unknown as ImportFields), file: operand }
}
