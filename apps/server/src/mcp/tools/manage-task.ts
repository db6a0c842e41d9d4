import { type Actor, type Crm, type CrmError, invalid, type TaskView } from '@sales-crm/core'
import * as v from 'valibot'
import { args, fields, oneOf, text } from '../inputs.ts'
import { KINDS } from '../kinds.ts'
import { explained, explainer } from '../options.ts'
import { renamed } from '../told.ts'
import { type Caller, defineTool, OVERWRITES } from '../tool.ts'

const { write } = KINDS.tasks.scopes
const ACTIONS = ['create', 'update', 'complete', 'reopen', 'delete'] as const

type Action = (typeof ACTIONS)[number]
type Fields = Readonly<Record<string, unknown>>

const input = args({
  action: oneOf(ACTIONS),
  id: v.optional(text('Of the task; for all but create')),
  fields: v.optional(
    fields(
      'For create and update: title, notes, due_date, type (key), priority high|medium|low, person_id, company_id, deal_id, owner_email',
    ),
  ),
})

export const manageTask = defineTool({
  name: 'manage_task',
  title: 'Manage a task',
  description: 'Creates, changes, completes, reopens or deletes one task: something to be done, for a person, a company or a deal or none.',
  hints: { ...OVERWRITES, idempotentHint: false },
  input: (scopes) => (scopes.has(write) ? input : undefined),
  needs: () => [write],
  async run(caller, { action, id, fields }) {
    refuseMisfits(action, id, fields)
    const explain = explainer(caller, 'tasks', action === 'create' ? 'create' : 'update')
    const under = async (error: CrmError) => renamed(await explain(error), (field) => `fields.${field}`)
    return { result: await explained(() => done(caller, action, id ?? '', fields ?? {}), under) }
  },
})

/** @throws CrmError `validation_error` */
function refuseMisfits(action: Action, id: string | undefined, fields: Fields | undefined): void {
  const faults: Record<string, string> = {}
  if (action === 'create' && id !== undefined) faults['id'] = 'Must be left out for create.'
  if (action !== 'create' && id === undefined) faults['id'] = `Required for ${action}.`
  const takesFields = action === 'create' || action === 'update'
  if (takesFields && fields === undefined) faults['fields'] = `Required for ${action}.`
  if (!takesFields && fields !== undefined) faults['fields'] = 'Must be left out: only create and update take fields.'
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

async function done({ crm, actor }: Caller, action: Action, id: string, fields: Fields) {
  if (action === 'delete') {
    await crm.tasks.remove(actor, id)
    return { id, deleted: true }
  }
  return { task: await written({ crm, actor }, action, id, fields) }
}

function written({ crm, actor }: { crm: Crm; actor: Actor }, action: Action, id: string, fields: Fields): Promise<TaskView> {
  if (action === 'create') return crm.tasks.create(actor, fields as never)
  return crm.tasks.update(actor, id, action === 'update' ? (fields as never) : { completed: action === 'complete' })
}
