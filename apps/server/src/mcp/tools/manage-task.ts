import { type Actor, type Crm, type CrmError, type TaskView, validationError } from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import * as v from 'valibot'
import { fields, oneOf, text, toolArguments } from '../argument-schemas.ts'
import { createErrorExplainer, withExplanation } from '../error-explainer.ts'
import { renameFields } from '../error-text.ts'
import { defineTool, OVERWRITE_HINTS } from '../tool.ts'
import type { Caller } from '../types.ts'

const { write } = RESOURCES.tasks.scopes
const ACTIONS = ['create', 'update', 'complete', 'reopen', 'delete'] as const

type Action = (typeof ACTIONS)[number]
type Fields = Readonly<Record<string, unknown>>

const input = toolArguments({
  action: oneOf(ACTIONS),
  id: v.optional(text('Of the task; for all but create')),
  fields: v.optional(
    fields(
      'For create and update: title, notes, due_date, type (key), priority high|medium|low, person_id, ' +
        'company_id, deal_id, owner_email',
    ),
  ),
})

export const manageTask = defineTool({
  name: 'manage_task',
  title: 'Manage a task',
  description:
    'Creates, updates, completes, reopens or deletes one task, ' +
    'optionally linked to a person, a company or a deal.',
  hints: { ...OVERWRITE_HINTS, idempotentHint: false },
  write: 'create',
  input: (scopes) => (scopes.has(write) ? input : undefined),
  requiredScopes: () => [write],
  async run(caller, { action, id, fields }) {
    assertFieldsMatchAction(action, id, fields)
    const explain = createErrorExplainer(caller, 'tasks', action === 'create' ? 'create' : 'update')
    const explainFields = async (error: CrmError) =>
      renameFields(await explain(error), (field) => `fields.${field}`)
    return {
      result: await withExplanation(() => runAction(caller, action, id ?? '', fields ?? {}), explainFields),
    }
  },
})

/** @throws CrmError `validation_error` */
function assertFieldsMatchAction(action: Action, id: string | undefined, fields: Fields | undefined): void {
  const errors: Record<string, string> = {}
  if (action === 'create' && id !== undefined) errors['id'] = 'Must be left out for create.'
  if (action !== 'create' && id === undefined) errors['id'] = `Required for ${action}.`
  const takesFields = action === 'create' || action === 'update'
  if (takesFields && fields === undefined) errors['fields'] = `Required for ${action}.`
  if (!takesFields && fields !== undefined)
    errors['fields'] = 'Must be left out: only create and update take fields.'
  if (Object.keys(errors).length > 0) throw validationError(errors)
}

async function runAction({ crm, actor }: Caller, action: Action, id: string, fields: Fields) {
  if (action === 'delete') {
    await crm.tasks.remove(actor, id)
    return { id, deleted: true }
  }
  return { task: await saveTask({ crm, actor }, action, id, fields) }
}

function saveTask(
  { crm, actor }: { crm: Crm; actor: Actor },
  action: Action,
  id: string,
  fields: Fields,
): Promise<TaskView> {
  if (action === 'create') return crm.tasks.create(actor, fields as never)
  return crm.tasks.update(
    actor,
    id,
    action === 'update' ? (fields as never) : { completed: action === 'complete' },
  )
}
