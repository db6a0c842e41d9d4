import type { CompanyListItem, Person, PersonListItem } from '@sales-crm/client'
import { completeLink } from '../format/links.ts'
import { websiteLinks } from './contact-texts.ts'
import type { KindFields, LinkedRecord, LinkField, ShownField, TextField } from './field.ts'
import {
  createdField,
  emailsField,
  linkField,
  ownerField,
  phonesField,
  requiredTextField,
  textField,
  updatedField,
} from './field-builders.ts'
import { listsColumn, tagsColumn } from './label-fields.tsx'
import { lastActivityColumn, nextTaskColumn, openAmountColumn } from './linked-fields.tsx'

const fullName = requiredTextField('full_name', { label: ({ labels }) => labels.name, order: 'asc' })
const company = linkField('company')
/** In lists, which have the company only if they include it. */
const companyColumn: LinkField<{ readonly company?: LinkedRecord | null }> = {
  ...{ type: 'link', name: 'company', links: ['company'], include: 'company' },
  label: ({ labels }) => labels.company,
  read: ({ company }) => company ?? null,
}
const position = textField('position', { label: ({ labels }) => labels.position, order: 'asc' })

const score: ShownField<PersonListItem> = {
  ...{ type: 'shown', name: 'score', label: ({ labels }) => labels.score, isNumber: true },
  ...{ filter: 'number', order: 'desc' },
  render: ({ score }) => score,
}

const website: TextField<{ readonly website: string | null }> = {
  ...textField('website', { label: ({ labels }) => labels.website, complete: completeLink, order: 'asc' }),
  links: ({ website }) => websiteLinks(website),
}

const linkedColumns = [nextTaskColumn, lastActivityColumn, openAmountColumn]

export const PERSON_FIELDS: KindFields<PersonListItem, Person> = {
  columns: [fullName, companyColumn, position, emailsField, phonesField, ownerField],
  moreColumns: [...linkedColumns, tagsColumn, listsColumn, score, createdField, updatedField],
  facts: [fullName, emailsField, phonesField, position, company, ownerField],
  form: [fullName, emailsField, phonesField, company],
}

export const COMPANY_FIELDS: KindFields<CompanyListItem> = {
  columns: [fullName, website, emailsField, phonesField, ownerField],
  moreColumns: [...linkedColumns, tagsColumn, listsColumn, createdField, updatedField],
  facts: [fullName, emailsField, phonesField, website, ownerField],
  form: [fullName, emailsField, phonesField],
}
