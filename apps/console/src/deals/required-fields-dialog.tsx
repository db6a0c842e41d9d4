import type { StageReference } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { canAssign } from '../app/permissions.ts'
import { CustomFieldInputs } from '../create/custom-field-inputs.tsx'
import { FormFrame } from '../create/form-frame.tsx'
import { FormInput } from '../create/form-input.tsx'
import { findError, type RecordDraft, readDraft } from '../create/record-draft.ts'
import { useCreateForm } from '../create/use-create-form.ts'
import { DEAL_FIELDS } from '../fields/deal-fields.tsx'
import type { ActionRecord } from '../records/edit-records.ts'
import type { FieldEdit } from '../records/use-record-update.ts'
import { findOrCreateContact } from '../records/write-record.ts'
import { useMenu } from '../reference/queries.ts'
import { classNames } from '../ui/class-names.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Select } from '../ui/field.tsx'
import text from '../ui/text.module.css'
import { customKeyOf } from './find-missing.ts'
import styles from './lost-dialog.module.css'

interface RequiredFieldsDialogProps {
  readonly deal: ActionRecord
  readonly stage: StageReference
  /** The names of the fields that the deal has not. */
  readonly missing: readonly string[]
  readonly move: (edit: FieldEdit) => void
  readonly close: () => void
}

/** Asks for what a stage requires of a deal, and moves the deal with it. */
export function RequiredFieldsDialog({ deal, stage, missing, move, close }: RequiredFieldsDialogProps) {
  const console = useConsole()
  const { crm, texts, workspace } = console
  const form = useCreateForm()
  const { currency = workspace.currency } = deal as { readonly currency?: RecordDraft['currency'] }
  const [draft, setDraft] = useState<RecordDraft>({
    ...{ texts: {}, links: { company: null, person: null }, currency, stageId: '', required: {} },
  })
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const change = (changes: Partial<RecordDraft>) => setDraft({ ...draft, ...changes })
  const fields = DEAL_FIELDS.facts.filter((field) => missing.includes(field.name)).filter(isAskedFor)
  const keys = missing.map(customKeyOf)
  const customFields = (useMenu('customFields').data ?? []).filter(({ key }) => keys.includes(key))
  const choices = useChoices(deal).filter(({ name }) => missing.includes(name))
  const { input, errors } = readDraft(fields, customFields, draft, console)
  const emptyErrors = Object.fromEntries([
    ...fields
      .filter(({ name, type }) => (type === 'link' ? !draft.links[name as 'person'] : !input[name]))
      .map(({ name, type }) => [type === 'link' ? `${name}_id` : name, texts.errors.required]),
    ...customFields
      .filter(({ key }) => !draft.required[key]?.trim())
      .map(({ key }) => [`custom_fields.${key}`, texts.errors.required]),
    ...choices.filter(({ name }) => !chosen[name]).map(({ name }) => [name, texts.errors.required]),
  ])

  async function submit(): Promise<void> {
    const { company, person } = draft.links
    const company_id = company ? await findOrCreateContact(crm, company) : undefined
    const person_id = person ? await findOrCreateContact(crm, person, company_id) : undefined
    const chosenInput = choices.map(({ name, toInput }) => toInput(chosen[name] ?? ''))
    const links = { ...(company_id && { company_id }), ...(person_id && { person_id }) }
    close()
    move({ changes: Object.assign({}, input, links, ...chosenInput), shown: shownOf(input) })
  }
  return (
    <Dialog title={texts.deals.needsFields(stage.name)} close={close}>
      <p class={classNames(text.soft, styles.lead)}>{texts.deals.needsFieldsHint}</p>
      <FormFrame
        form={form}
        cancel={close}
        submitLabel={texts.deals.moveTo(stage.name)}
        submit={() => form.submit(submit, { ...emptyErrors, ...errors })}
      >
        {fields.map((field, index) => (
          <FormInput
            key={field.name}
            {...{ field, draft, change, stages: [] }}
            error={findError(field, form.errors)}
            autoFocus={index === 0}
          />
        ))}
        {choices.map(({ name, label, options }) => (
          <Field key={name} label={label} error={form.errors[name]}>
            {(ids) => (
              <Select
                {...ids}
                value={chosen[name] ?? ''}
                change={(value) => setChosen({ ...chosen, [name]: value })}
              >
                <option value="">–</option>
                {options.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        ))}
        <CustomFieldInputs
          fields={customFields}
          values={draft.required}
          change={(required) => change({ required })}
          errors={form.errors}
        />
      </FormFrame>
    </Dialog>
  )
}

type DealFact = (typeof DEAL_FIELDS.facts)[number]
type AskedField = Exclude<DealFact, { readonly type: 'owner' | 'choice' | 'shown' | 'stage' }>

function isAskedFor(field: DealFact): field is AskedField {
  return !['owner', 'choice', 'shown', 'stage'].includes(field.type)
}

/** The amount and other plain values: views show them as inputs have them. */
function shownOf({ custom_fields: _, ...input }: Readonly<Record<string, unknown>>): object {
  return input
}

interface Choice {
  readonly name: string
  readonly label: string
  readonly options: readonly { readonly id: string; readonly name: string }[]
  readonly toInput: (id: string) => object
}

/** What is chosen among a few records. */
function useChoices(deal: ActionRecord): readonly Choice[] {
  const { me, texts } = useConsole()
  const members = (useMenu('members').data ?? []).filter((each) => canAssign(me, each, 'deals', [deal]))
  const [tags, lists] = [useMenu('tags').data ?? [], useMenu('lists').data ?? []]
  return [
    {
      ...{ name: 'owner', label: texts.labels.owner, options: members },
      toInput: (owner_user_id) => ({ owner_user_id }),
    },
    { name: 'tags', label: texts.labels.tags, options: tags, toInput: (tag) => ({ tags: [tag] }) },
    { name: 'lists', label: texts.labels.lists, options: lists, toInput: (list) => ({ lists: [list] }) },
  ]
}
