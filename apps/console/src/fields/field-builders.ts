import type { Email, Owner, Phone } from '@sales-crm/client'
import type { Console } from '../app/console-context.ts'
import { editableMoney, exampleAmount, parseMoney } from '../format/typed-money.ts'
import { collapseSpaces } from '../format/typed-text.ts'
import type { Texts } from '../texts/en.ts'
import { emailLinks, formatList, parseEmails, parsePhones, phoneLinks } from './contact-texts.ts'
import type {
  ChoiceField,
  LinkedRecord,
  LinkField,
  LinkName,
  MoneyRow,
  OwnerField,
  ShownField,
  TextField,
} from './field.ts'

type Named = Pick<TextField<never>, 'label' | 'columnLabel' | 'order'>
type RowWith<Name extends string, Value> = { readonly [Key in Name]: Value }

interface TextOptions extends Named {
  /** Completes what was typed. Default: as it is, on one line. */
  readonly complete?: (typed: string) => string
}

/** A text of one line. Empty text clears it. */
export function textField<Name extends string>(
  name: Name,
  { complete = collapseSpaces, ...named }: TextOptions,
): TextField<RowWith<Name, string | null>> {
  return {
    ...named,
    ...{ type: 'text', name },
    format: (row) => row[name] ?? '',
    parse: (text) => ({ [name]: complete(text) || null }),
  }
}

/** A text of one line that is never empty. */
export function requiredTextField<Name extends string>(
  name: Name,
  named: Named,
): TextField<RowWith<Name, string>> {
  return {
    ...named,
    ...{ type: 'text', name },
    format: (row) => row[name],
    parse: (text, { texts }) => {
      const value = collapseSpaces(text)
      return value === '' ? texts.errors.required : { [name]: value }
    },
  }
}

/** An amount in minor units of the currency of its record. */
export function moneyField<Name extends string>(name: Name, named: Named): TextField<MoneyRow<Name>> {
  const amountOf = (row: MoneyRow<Name>) => ({ amount: row[name], currency: row.currency })
  return {
    ...named,
    ...{ type: 'money', name, isNumber: true, exportFields: [name, 'currency'] },
    format: (row, { workspace }) => editableMoney(amountOf(row), workspace.locale),
    display: (row, { formatAmount }) => (row[name] > 0 ? formatAmount(amountOf(row)) : undefined),
    parse: (text, { before, texts, workspace, ...created }) => {
      const currency = before?.currency ?? created.currency ?? workspace.currency
      const amount = parseMoney(text, currency, workspace.locale)
      return amount === undefined
        ? texts.errors.notAnAmount(currency, exampleAmount(currency, workspace.locale))
        : { [name]: amount }
    },
  }
}

/** A day in the time zone of the workspace. */
export function dayField<Name extends string>(
  name: Name,
  named: Named,
): TextField<RowWith<Name, string | null>> {
  const dateOf = (row: RowWith<Name, string | null>) => {
    const value = row[name]
    return value === null ? undefined : new Date(value)
  }
  return {
    ...named,
    ...{ type: 'date', name },
    format: (row, { calendar }) => {
      const date = dateOf(row)
      return date ? calendar.dayOf(date) : ''
    },
    display: (row, { dates }) => {
      const date = dateOf(row)
      return date && dates.dayWithYear(date)
    },
    parse: (text, { calendar, texts }) => {
      if (text.trim() === '') return { [name]: null }
      const date = calendar.readDate(text)
      return date ? { [name]: date.toISOString() } : texts.errors.notADay
    },
  }
}

export const emailsField: TextField<{ readonly emails: readonly Email[] }> = {
  ...{ type: 'email', name: 'emails', label: ({ labels }) => labels.email },
  format: ({ emails }) => formatList(emails.map(({ email }) => email)),
  links: ({ emails }) => emailLinks(emails),
  parse: (text, { before }) => ({ emails: parseEmails(text, before?.emails ?? []) }),
}

export const phonesField: TextField<{ readonly phones: readonly Phone[] }> = {
  ...{ type: 'tel', name: 'phones', label: ({ labels }) => labels.phone },
  format: ({ phones }) => formatList(phones.map(({ phone }) => phone)),
  links: ({ phones }) => phoneLinks(phones),
  parse: (text, { before }) => ({ phones: parsePhones(text, before?.phones ?? []) }),
}

export function linkField<Name extends LinkName>(name: Name): LinkField<RowWith<Name, LinkedRecord | null>> {
  return {
    ...{ type: 'link', name, links: [name] },
    label: ({ labels }) => labels[name],
    read: (row) => row[name],
  }
}

export const ownerField: OwnerField<{ readonly owner: Owner | null }> = {
  ...{ type: 'owner', name: 'owner', label: ({ labels }) => labels.owner },
  read: ({ owner }) => owner,
}

export function choiceField<Name extends string>(
  name: Name,
  label: (texts: Texts) => string,
  choices: ChoiceField<never>['choices'],
): ChoiceField<RowWith<Name, string | boolean>> {
  return { type: 'choice', name, label, choices, read: (row) => row[name] }
}

/** When something happened to the record, as a day. */
export function timeField<Name extends string>(
  name: Name,
  named: Pick<Named, 'label' | 'order'>,
): ShownField<RowWith<Name, string | null>> {
  return {
    ...named,
    ...{ type: 'shown', name, filter: 'day' },
    render: (row, { dates }: Console) => {
      const value = row[name]
      return value === null ? '—' : dates.dayWithYear(new Date(value))
    },
  }
}

export const createdField = timeField('created_at', { label: ({ labels }) => labels.created, order: 'desc' })
export const updatedField = timeField('updated_at', { label: ({ labels }) => labels.updated, order: 'desc' })
