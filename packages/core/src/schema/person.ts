import { httpsUrl, integer } from '../kernel/field-schemas.ts'
import { singleLineText, singleLineTextOrNull } from '../kernel/text-schemas.ts'
import { associationFields, linkedDeals } from './associations.ts'
import { CHANGE_FILTER, createdAt, entityId, id, linkField, owner, updatedAt } from './common-fields.ts'
import { emailsField, phonesField } from './contact.ts'
import { externalIds } from './external-ids.ts'
import type { RecordOf } from './field-types.ts'
import { value } from './fields.ts'
import { OWNER_FILTERS } from './filter-rules.ts'
import { followers, following } from './following.ts'
import { defineKind } from './kind.ts'
import { personCompanyFields } from './link-lists.ts'
import { lastActivityAt, nextTask, openAmounts } from './linked-summaries.ts'
import { DELETE_NOTE, LINKS_NOTE, MERGE_NOTE, SEARCH_NOTE } from './operation-notes.ts'
import { sharedWith, shares } from './shares.ts'
import { integerOf, textOf } from './value-types.ts'

export const people = defineKind({
  label: 'Person',
  collection: 'people',
  scopes: { read: 'people:read', write: 'people:write' },
  memberAccess: 'records',
  codePrefix: 'P',
  fields: {
    id: id('01a1fc31-2860-78c5-98aa-1e202d361899'),
    entity_id: entityId('P-9Y5A218'),
    full_name: value(textOf(singleLineText(1, 70)), {
      ...{ need: 'required', level: 'summary', sortable: true },
      description: 'Full name.',
      example: 'Vitória Silveira Barbosa',
    }),
    emails: emailsField({ email: 'vitoria.barbosa@pampa.example', type: 'work' }),
    phones: phonesField({ phone: '+55 41 90000-6230', type: 'mobile' }),
    position: value(textOf(singleLineTextOrNull(120)), {
      ...{ need: 'clearable', level: 'summary' },
      description: 'Job title.',
      example: 'Gerente de Vendas',
    }),
    score: value(integerOf(integer(0, 100)), {
      ...{ need: 'resettable', initial: 0, level: 'summary' },
      description: 'Lead score, from 0 to 100.',
      example: 32,
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
    company: linkField('companies', 'company', 'detail', {
      ...{ included: true, isListed: true },
      description: 'The main company of the person. In lists only if it is included.',
    }),
    ...personCompanyFields,
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
    about: 'Contacts with their e-mail addresses, phones, tags, lists, custom fields and deals.',
    list: `Omits \`company\`, \`tags\` and \`lists\` unless they are included. ${SEARCH_NOTE}`,
    create:
      'Only `full_name` is required. An `Idempotency-Key` makes it safe to retry. ' +
      '`deals` also requires the scope `deals:write`.',
    update: `${MERGE_NOTE} \`deals\` also requires the scope \`deals:write\`.`,
    remove: `${DELETE_NOTE} ${LINKS_NOTE}`,
  },
  errorExamples: { full_name: 'Required.', 'emails[0].email': 'Must be an e-mail address.' },
  inputExamples: {
    create: {
      full_name: 'Vitória Silveira Barbosa',
      emails: [{ email: 'vitoria.barbosa@pampa.example' }],
      phones: [{ phone: '+55 41 90000-6230', type: 'mobile' }],
      position: 'Gerente de Vendas',
    },
    update: { position: 'Diretora de Vendas', score: 60 },
  },
})

/** A person as it is stored, and as record rules see it. */
export interface Person extends RecordOf<typeof people.fields> {}
