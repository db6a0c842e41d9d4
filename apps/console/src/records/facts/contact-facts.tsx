import type { Company, Person } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { explainError } from '../../cache/explain-error.ts'
import { collapseSpaces } from '../../format/single-line.ts'
import { type FieldEdit, useRecordUpdate } from '../use-record-update.ts'
import { emailLinks, formatList, parseEmails, parsePhones, phoneLinks } from './contact-texts.ts'
import { Fact } from './fact.tsx'
import { InlineText } from './inline-text.tsx'

interface ContactFactsProps {
  readonly kind: 'people' | 'companies'
  readonly record: Person | Company
}

/** Name, e-mail addresses and phone numbers. */
export function ContactFacts({ kind, record }: ContactFactsProps) {
  const { texts } = useConsole()
  const update = useRecordUpdate()
  const { labels } = texts
  const save = (label: string, to: FieldEdit, from: FieldEdit, reopen: (fault: string) => void) =>
    update({
      kind,
      id: record.id,
      label,
      to,
      from,
      onFault: (error) => reopen(explainError(error, texts)),
    })
  const { emails, phones } = record
  const emailText = formatList(emails.map(({ email }) => email))
  const phoneText = formatList(phones.map(({ phone }) => phone))
  return (
    <>
      <Fact label={labels.name}>
        <InlineText
          label={labels.name}
          display={record.full_name}
          text={record.full_name}
          save={(text, reopen) => {
            const edit = (full_name: string) => ({ changes: { full_name }, shown: { full_name } })
            save(labels.name, edit(collapseSpaces(text)), edit(record.full_name), reopen)
            return undefined
          }}
        />
      </Fact>
      <Fact label={labels.email}>
        <InlineText
          label={labels.email}
          display={undefined}
          text={emailText}
          links={emailLinks(emails)}
          save={(text, reopen) => {
            const edit = (next: typeof emails) => ({ changes: { emails: next }, shown: { emails: next } })
            save(labels.email, edit(parseEmails(text, emails)), edit(emails), reopen)
            return undefined
          }}
        />
      </Fact>
      <Fact label={labels.phone}>
        <InlineText
          label={labels.phone}
          display={undefined}
          text={phoneText}
          links={phoneLinks(phones)}
          save={(text, reopen) => {
            const edit = (next: typeof phones) => ({ changes: { phones: next }, shown: { phones: next } })
            save(labels.phone, edit(parsePhones(text, phones)), edit(phones), reopen)
            return undefined
          }}
        />
      </Fact>
    </>
  )
}
