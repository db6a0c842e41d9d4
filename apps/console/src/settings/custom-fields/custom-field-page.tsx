import type { CustomField } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { optionsOf } from '../../records/facts/custom-values.ts'
import { useMenu } from '../../reference/queries.ts'
import { usePageTitle } from '../../shell/page-parts.tsx'
import { Button } from '../../ui/button.tsx'
import { DeletionQuestion } from '../frame/deletion-question.tsx'
import { InlineText } from '../frame/inline-text.tsx'
import { PartMessage, PartPage, partStyles, Section } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { useSettingsTexts } from '../texts.ts'
import styles from './custom-field-page.module.css'
import { isSelect } from './field-rules.ts'
import { OptionsEditor } from './options-editor.tsx'
import { ShowChecks } from './show-checks.tsx'
import { useCustomFieldTexts } from './texts.ts'
import { useCustomFieldUpdate } from './use-custom-field-update.ts'

export function CustomFieldPage({ id }: { readonly id: string }) {
  const settings = useSettingsTexts()
  const texts = useCustomFieldTexts()
  const fields = useMenu('customFields')
  const field = fields.data?.find((each) => each.id === id)
  usePageTitle(`${field?.label ?? settings.parts.customFields} · ${settings.parts.customFields}`)
  return (
    <PartPage
      crumb={{ href: '/settings/custom-fields', label: settings.parts.customFields }}
      lead={texts.pageLead}
    >
      {field ? (
        <FieldEditor field={field} />
      ) : (
        <PartQuery query={fields}>{() => <PartMessage>{settings.notFound}</PartMessage>}</PartQuery>
      )}
    </PartPage>
  )
}

const MAX_LABEL_LENGTH = 40

function FieldEditor({ field }: { readonly field: CustomField }) {
  const { texts: shared } = useConsole()
  const texts = useCustomFieldTexts()
  const update = useCustomFieldUpdate(field)
  return (
    <>
      <dl class={styles.facts}>
        <dt>{texts.label}</dt>
        <dd>
          <InlineText
            isStrong
            label={texts.label}
            field="label"
            value={field.label}
            maxLength={MAX_LABEL_LENGTH}
            save={(label, onError) => update({ label }, onError)}
          />
        </dd>
        <dt>{shared.labels.type}</dt>
        <dd class={styles.fixed}>{texts.types[field.type]}</dd>
        <dt>{texts.key}</dt>
        <dd class={styles.fixed}>
          <code>{field.key}</code>
        </dd>
      </dl>
      <div>
        <ShowChecks shows={field} change={update} />
        {field.required && <p class={partStyles.text}>{texts.requiredHint}</p>}
      </div>
      {isSelect(field.type) && <OptionsEditor options={optionsOf(field)} update={update} />}
      <FieldRemoval field={field} />
    </>
  )
}

function FieldRemoval({ field }: { readonly field: CustomField }) {
  const texts = useCustomFieldTexts()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section level={2} title={texts.removal}>
      <p class={partStyles.text}>{texts.removalText}</p>
      <Button look="risky" onClick={() => setIsOpen(true)}>
        {texts.remove}
      </Button>
      {isOpen && <RemovalDialog field={field} close={() => setIsOpen(false)} />}
    </Section>
  )
}

interface RemovalDialogProps {
  readonly field: CustomField
  readonly close: () => void
}

function RemovalDialog({ field, close }: RemovalDialogProps) {
  const { crm } = useConsole()
  const texts = useCustomFieldTexts()
  const [, navigate] = useLocation()
  return (
    <DeletionQuestion
      id={field.id}
      name={field.label}
      send={() => crm.customFields.delete(field.id)}
      onDone={() => navigate('/settings/custom-fields')}
      close={close}
    >
      {texts.removalText}
    </DeletionQuestion>
  )
}
