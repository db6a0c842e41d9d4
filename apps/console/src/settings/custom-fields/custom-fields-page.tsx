import type { CustomField } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { optionsOf } from '../../records/facts/custom-values.ts'
import { useMenu } from '../../reference/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PartPage, partStyles, Section } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { useSettingsTexts } from '../texts.ts'
import { CustomFieldForm } from './custom-field-form.tsx'
import { groupFields } from './field-rules.ts'
import { useCustomFieldTexts } from './texts.ts'

export function CustomFieldsPage() {
  const { texts: shared } = useConsole()
  const { parts } = useSettingsTexts()
  const texts = useCustomFieldTexts()
  const fields = useMenu('customFields')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <PartPage title={parts.customFields} lead={texts.lead}>
      <div class={partStyles.actions}>
        <Button icon="plus" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          {texts.create}
        </Button>
      </div>
      <PartQuery query={fields}>
        {(data) =>
          groupFields(data, shared.language).map((group) => <FieldGroup key={group.kind} {...group} />)
        }
      </PartQuery>
      {isOpen && (
        <Dialog title={texts.create} close={() => setIsOpen(false)}>
          <CustomFieldForm close={() => setIsOpen(false)} />
        </Dialog>
      )}
    </PartPage>
  )
}

function FieldGroup({ kind, fields }: ReturnType<typeof groupFields>[number]) {
  const texts = useCustomFieldTexts()
  return (
    <Section title={texts.groups[kind]}>
      {fields.length === 0 ? (
        <p class={partStyles.empty}>{texts.emptyGroup}</p>
      ) : (
        <ul class={partStyles.rows} aria-label={texts.groups[kind]}>
          {fields.map((field) => (
            <FieldRow key={field.id} field={field} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function FieldRow({ field }: { readonly field: CustomField }) {
  const texts = useCustomFieldTexts()
  const options = optionsOf(field)
    .map(({ option }) => option)
    .join(' · ')
  return (
    <li class={partStyles.row}>
      <span class={partStyles.rowText}>
        <Link class={partStyles.rowName} href={`/settings/custom-fields/${field.id}`} title={field.label}>
          {field.label}
        </Link>
        {options && (
          <span class={partStyles.rowNote} title={options}>
            {options}
          </span>
        )}
      </span>
      <span class={partStyles.rowEnd}>
        {texts.types[field.type]}
        {field.required && `, ${texts.required.toLowerCase()}`}
      </span>
    </li>
  )
}
