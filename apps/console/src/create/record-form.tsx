import { useConsole } from '../app/console-context.ts'
import type { FormField } from '../fields/field.ts'
import { type CreatableKind, recordName } from '../records/kinds.ts'
import type { PickedRecord } from '../records/record-picker.tsx'
import { createRecord, findOrCreateContact } from '../records/write-record.ts'
import { useMenu } from '../reference/queries.ts'
import { showDone } from '../ui/toasts.tsx'
import { type CreateDefaults, pickedCompany, pickedPerson } from './create-defaults.ts'
import { CustomFieldInputs } from './custom-field-inputs.tsx'
import { useDraft } from './draft.ts'
import { FormFrame } from './form-frame.tsx'
import { FormInput } from './form-input.tsx'
import { findError, type RecordDraft, readDraft } from './record-draft.ts'
import { useCreateForm } from './use-create-form.ts'
import { useRequiredFields } from './use-required-fields.ts'

interface RecordFormProps<Row> {
  readonly kind: Exclude<CreatableKind, 'tasks'>
  readonly fields: readonly FormField<Row>[]
  readonly defaults: CreateDefaults
  /** Names where it is written: what was typed elsewhere is not shown. */
  readonly place: string
  readonly submitLabel?: string
  /** After it was created. @param id of the created record */
  readonly close: (id: string) => void
  /** Undefined for a form that is part of a page. */
  readonly cancel?: () => void
}

/** Creates a record from what is typed. */
export function RecordForm<Row>(props: RecordFormProps<Row>) {
  const { kind, fields, defaults, place, submitLabel, close, cancel } = props
  const console = useConsole()
  const { crm, me, texts, workspace } = console
  const form = useCreateForm()
  const requiredFields = useRequiredFields(kind)
  const { pipeline, stages } = usePlace(kind, defaults)
  const [draft, setDraft, clearDraft] = useDraft<RecordDraft>(place, {
    texts: defaults.name ? { [fields[0]?.name ?? '']: defaults.name } : {},
    links: { company: pickedCompany(defaults), person: pickedPerson(defaults) },
    currency: workspace.currency,
    stageId: defaults.stageId ?? '',
    required: {},
  })
  const change = (changes: Partial<RecordDraft>) => setDraft({ ...draft, ...changes })
  const { input, errors } = readDraft(fields, requiredFields, draft, console)
  const linked = new Set(fields.flatMap((field) => (field.type === 'link' ? field.links : [])))

  const saveContact = async (picked: PickedRecord | null, companyId?: string) =>
    picked && { ...picked, id: await findOrCreateContact(crm, picked, companyId) }

  async function create(): Promise<void> {
    const company = await saveContact(draft.links.company)
    const person = await saveContact(draft.links.person, company?.id)
    // So that a second attempt does not create them again.
    setDraft({ ...draft, links: { company, person } })
    const { id } = await createRecord(crm, kind, {
      ...input,
      ...(kind !== 'products' && { owner_user_id: me.id }),
      ...(pipeline && { pipeline_id: pipeline.id, stage_id: draft.stageId || stages[0]?.id }),
      ...(company && linked.has('company') && { company_id: company.id }),
      ...(person && linked.has('person') && { person_id: person.id }),
    })
    clearDraft()
    showDone(texts.create.created(recordName(input)))
    close(id)
  }
  return (
    <FormFrame
      form={form}
      cancel={cancel}
      submitLabel={submitLabel ?? texts.create.submit}
      submit={() => form.submit(create, errors)}
    >
      {fields.map((field, index) => (
        <FormInput
          key={field.name}
          field={field}
          draft={draft}
          change={change}
          error={findError(field, form.errors)}
          autoFocus={index === 0}
          stages={stages}
        />
      ))}
      <CustomFieldInputs
        fields={requiredFields}
        values={draft.required}
        change={(required) => change({ required })}
        errors={form.errors}
      />
    </FormFrame>
  )
}

/** The pipeline of a new deal, and its stages. */
function usePlace(kind: CreatableKind, { pipelineId }: CreateDefaults) {
  const pipelines = useMenu('pipelines')
  const found = pipelines.data?.find(({ id }) => id === pipelineId) ?? pipelines.data?.[0]
  const pipeline = kind === 'deals' ? found : undefined
  return { pipeline, stages: pipeline?.stages ?? [] }
}
