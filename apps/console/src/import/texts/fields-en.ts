import type { ProblemGroup } from '@sales-crm/client'
import type { ColumnReason } from '../columns/reason.ts'

/** A rule of the service: its code, and its sentence. */
export type Rule = Pick<ProblemGroup, 'code' | 'message'>

const percent = (share: number) => `${Math.round(share * 100)} %`

/** The names of what columns become, and why. */
export const fieldsEn = {
  kinds: {
    people: 'People',
    companies: 'Companies',
    deals: 'Deals',
    products: 'Products',
    tasks: 'Tasks',
    activities: 'Notes',
    tags: 'Tags',
    lists: 'Lists',
  },
  /** One record. */
  kind: {
    people: 'Person',
    companies: 'Company',
    deals: 'Deal',
    products: 'Product',
    tasks: 'Task',
    activities: 'Note',
    tags: 'Tag',
    lists: 'List',
  },
  /** Those that have no label on the pages of records. */
  fields: {
    first_name: 'First name',
    middle_name: 'Middle name',
    last_name: 'Last name',
    'emails:work': 'E-mail (work)',
    'emails:home': 'E-mail (home)',
    'emails:other': 'E-mail (other)',
    'phones:mobile': 'Phone (mobile)',
    'phones:work': 'Phone (work)',
    'phones:home': 'Phone (home)',
    'phones:other': 'Phone (other)',
    avatar_url: 'Address of the picture',
    owner_email: 'Owner, by name or e-mail',
    tags: 'Tags, by name',
    lists: 'Lists, by name',
    status: 'Open, won or lost',
    closed_at: 'Closed',
    'closed_at:won': 'Won on',
    'closed_at:lost': 'Lost on',
    stage_entered_at: 'In its stage since',
    notes: 'Notes',
    due_date: 'Due',
    content_html: 'Text of the note',
    created_at: 'Created',
    external_id: 'ID in another system',
  } as Readonly<Record<string, string>>,
  externalId: (source: string) => `ID in ${source}`,
  newField: 'New custom field',
  leaveOut: 'Leave out',
  taken: (label: string, column: string) => `${label} (${column})`,
  matchNames: {
    external_id: 'ID in another system',
    email: 'E-mail',
    phone: 'Phone',
    domain: 'Domain of the website',
    name: 'Name',
    code: 'Code',
  } as Readonly<Record<string, string>>,
  reason(reason: ColumnReason): string {
    const { code, header = '', system, share = 0 } = reason
    switch (code) {
      case 'header':
        return system === undefined ? 'By its name' : `${system}’s name for it`
      case 'custom_field':
        return 'Your custom field of that name'
      case 'values':
        return `${percent(share)} of the values have this form`
      case 'consent':
        return 'Consent is never dropped'
      case 'new_field':
        return share < 1 ? `No field of that name; ${percent(share)} fit the type` : 'No field of that name'
      case 'taken':
        return `“${header}” has that field already`
      case 'same_as':
        return `Same as “${header}”`
      case 'describes':
        return `Describes “${header}”`
      case 'derived':
        return `Worked out from “${header}”`
      case 'failures':
        return 'Why the rows were left out'
      case 'empty':
        return 'No row has a value'
      case 'no_name':
        return 'Neither name nor values say what it is'
      case 'no_custom_fields':
        return 'This kind has no custom fields'
      case 'too_many_fields':
        return 'Too many new fields at once'
      default:
        return ''
    }
  },
  /** The rule that a cell breaks. */
  rule: ({ message }: Rule): string => message,
}

export type FieldTexts = typeof fieldsEn
