import { httpsUrl, httpUrl } from '../kernel/field-schemas.ts'
import { singleLineText } from '../kernel/text-schemas.ts'
import { associationFields, linkedDeals } from './associations.ts'
import { CHANGE_FILTER, createdAt, entityId, id, owner, updatedAt } from './common-fields.ts'
import { emailsField, phonesField } from './contact.ts'
import { externalIds } from './external-ids.ts'
import type { RecordOf } from './field-types.ts'
import { value } from './fields.ts'
import { OWNER_FILTERS } from './filter-rules.ts'
import { followers, following } from './following.ts'
import { defineKind } from './kind.ts'
import { lastActivityAt, nextTask, openAmounts } from './linked-summaries.ts'
import { DELETE_NOTE, LINKS_NOTE, MERGE_NOTE, SEARCH_NOTE } from './operation-notes.ts'
import { sharedWith, shares } from './shares.ts'
import { textOf } from './value-types.ts'

export const companies = defineKind({
  label: 'Company',
  collection: 'companies',
  scopes: { read: 'companies:read', write: 'companies:write' },
  memberAccess: 'records',
  codePrefix: 'C',
  fields: {
    id: id('01a1fc31-2721-7fc2-8286-c15d94073769'),
    entity_id: entityId('C-VY0CBT3'),
    full_name: value(textOf(singleLineText(1, 120)), {
      ...{ need: 'required', level: 'summary', sortable: true },
      description: 'Full name.',
      example: 'Pampa Consultoria',
    }),
    emails: emailsField({ email: 'contato@pampa.example', type: 'work' }),
    phones: phonesField({ phone: '+55 31 90000-1016', type: 'work' }),
    website: value(textOf(httpUrl), {
      ...{ need: 'clearable', level: 'item' },
      description: 'An http or https URL.',
      example: 'https://www.pampa.example',
    }),
    /** The image is not fetched. */
    avatar_url: value(textOf(httpsUrl), {
      ...{ need: 'clearable', level: 'item' },
      description: 'URL of the avatar image.',
      inputDescription: 'An https URL.',
      example: null,
    }),
    created_at: createdAt('summary'),
    updated_at: updatedAt('summary', CHANGE_FILTER),
    owner: owner('item', OWNER_FILTERS),
    ...associationFields({
      id: '01a1fc31-274d-70a6-816a-d2936fbbfe75',
      key: 'segment',
      label: 'Segmento',
      type: 'select',
      value: 'retail',
    }),
    deals: linkedDeals,
    external_ids: externalIds,
    shared_with: sharedWith,
    following,
    shares,
    followers,
    next_task: nextTask,
    last_activity_at: lastActivityAt,
    open_amounts: openAmounts,
  },
  texts: {
    about: 'Organizations that people work for.',
    list: `Omits \`tags\` and \`lists\` unless they are included. ${SEARCH_NOTE}`,
    create:
      'Only `full_name` is required. An `Idempotency-Key` makes it safe to retry. ' +
      '`deals` also requires the scope `deals:write`.',
    update: `${MERGE_NOTE} \`deals\` also requires the scope \`deals:write\`.`,
    remove: `${DELETE_NOTE} ${LINKS_NOTE}`,
  },
  errorExamples: { full_name: 'Required.', website: 'Must be an http or https URL.' },
  inputExamples: {
    create: {
      full_name: 'Pampa Consultoria',
      website: 'https://www.pampa.example',
      emails: [{ email: 'contato@pampa.example' }],
    },
    update: { website: null },
  },
})

/** A company as it is stored, and as record rules see it. */
export interface Company extends RecordOf<typeof companies.fields> {}
