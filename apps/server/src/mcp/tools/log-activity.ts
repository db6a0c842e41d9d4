import * as v from 'valibot'
import { args, oneOf, text } from '../inputs.ts'
import { KINDS } from '../kinds.ts'
import { explained, explainer } from '../options.ts'
import { ADDS, defineTool } from '../tool.ts'

const { write } = KINDS.activities.scopes

const input = args({
  entity: oneOf(['people', 'companies', 'deals']),
  entity_id: text(),
  content_html: text('Text, or HTML of a few formatting tags'),
  owner_email: v.optional(text("A member's; default nobody's")),
})

export const logActivity = defineTool({
  name: 'log_activity',
  title: 'Log an activity',
  description: 'Notes something that happened with a person, a company or a deal: a call, a meeting, a message.',
  hints: ADDS,
  input: (scopes) => (scopes.has(write) ? input : undefined),
  needs: () => [write],
  async run(caller, activity) {
    const made = explained(() => caller.crm.activities.create(caller.actor, activity), explainer(caller, 'activities', 'create'))
    const { id, entity, entity_id, created_at } = await made
    return { result: { id, entity, entity_id, created_at } }
  },
})
