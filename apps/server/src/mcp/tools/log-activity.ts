import { RESOURCES } from '@sales-crm/core/declarations'
import * as v from 'valibot'
import { oneOf, text, toolArguments } from '../argument-schemas.ts'
import { createErrorExplainer, withExplanation } from '../error-explainer.ts'
import { CREATE_HINTS, defineTool } from '../tool.ts'

const { write } = RESOURCES.activities.scopes

const input = toolArguments({
  entity: oneOf(['people', 'companies', 'deals']),
  entity_id: text(),
  content_html: text('Text, or HTML of a few formatting tags'),
  owner_email: v.optional(text("A member's; default nobody's")),
})

export const logActivity = defineTool({
  name: 'log_activity',
  title: 'Log an activity',
  description: 'Logs an activity with a person, a company or a deal, such as a call, a meeting or a message.',
  hints: CREATE_HINTS,
  write: 'create',
  input: (scopes) => (scopes.has(write) ? input : undefined),
  requiredScopes: () => [write],
  async run(caller, activity) {
    const created = withExplanation(
      () => caller.crm.activities.create(caller.actor, activity),
      createErrorExplainer(caller, 'activities', 'create'),
    )
    const { id, entity, entity_id, created_at } = await created
    return { result: { id, entity, entity_id, created_at } }
  },
})
