import { useConsole } from '../app/console-context.ts'
import { collapseSpaces } from '../format/single-line.ts'
import { type PickedRecord, RecordPicker } from '../records/record-picker.tsx'
import { Field } from '../ui/field.tsx'
import { showDone } from '../ui/toasts.tsx'
import { type CreateDefaults, pickedCompany, placeOf } from './create-defaults.ts'
import { useDraft } from './draft.ts'
import { FormFrame } from './form-frame.tsx'
import { RequiredFields, requiredInput, useRequiredFields } from './required-fields.tsx'
import { TextField } from './text-field.tsx'
import { useCreateForm } from './use-create-form.ts'

interface ContactFormProps {
  readonly kind: 'people' | 'companies'
  readonly defaults: CreateDefaults
  /** After it was created. @param id of the created record */
  readonly close: (id: string) => void
  readonly cancel: () => void
}

interface ContactDraft {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly company: PickedRecord | null
  readonly required: Readonly<Record<string, string>>
}

/** Creates a person or a company. */
export function ContactForm({ kind, defaults, close, cancel }: ContactFormProps) {
  const { texts } = useConsole()
  const form = useCreateForm()
  const requiredFields = useRequiredFields(kind)
  const [draft, setDraft, clearDraft] = useDraft<ContactDraft>(placeOf(kind, defaults), {
    name: defaults.name ?? '',
    email: '',
    phone: '',
    company: pickedCompany(defaults),
    required: {},
  })
  const change = (changes: Partial<ContactDraft>) => setDraft({ ...draft, ...changes })
  const createContact = useContactCreation(kind)

  async function create(): Promise<void> {
    const id = await createContact(draft, requiredInput(requiredFields, draft.required, texts.language))
    clearDraft()
    showDone(texts.create.created(collapseSpaces(draft.name)))
    close(id)
  }

  return (
    <FormFrame
      form={form}
      cancel={cancel}
      submitLabel={texts.create.submit}
      submit={() =>
        form.submit(create, { full_name: draft.name.trim() === '' ? texts.faults.required : undefined })
      }
    >
      <ContactFields kind={kind} draft={draft} change={change} faults={form.faults} />
      <RequiredFields
        fields={requiredFields}
        values={draft.required}
        change={(required) => change({ required })}
        faults={form.faults}
      />
    </FormFrame>
  )
}

interface ContactFieldsProps extends Pick<ContactFormProps, 'kind'> {
  readonly draft: ContactDraft
  readonly change: (changes: Partial<ContactDraft>) => void
  readonly faults: Readonly<Record<string, string>>
}

function ContactFields({ kind, draft, change, faults }: ContactFieldsProps) {
  const { labels } = useConsole().texts
  return (
    <>
      <TextField
        autoFocus
        label={labels.name}
        fault={faults['full_name']}
        value={draft.name}
        change={(name) => change({ name })}
      />
      <TextField
        type="email"
        label={labels.email}
        fault={faults['emails[0].email'] ?? faults['emails']}
        value={draft.email}
        change={(email) => change({ email })}
      />
      <TextField
        type="tel"
        label={labels.phone}
        fault={faults['phones[0].phone'] ?? faults['phones']}
        value={draft.phone}
        change={(phone) => change({ phone })}
      />
      {kind === 'people' && (
        <Field label={labels.company} fault={faults['company_id']}>
          {(ids) => (
            <RecordPicker
              ids={ids}
              kinds={['companies']}
              creates={['companies']}
              picked={draft.company}
              pick={(company) => change({ company })}
            />
          )}
        </Field>
      )}
    </>
  )
}

/** Creates the contact, after its company if that is new. Returns its id. */
function useContactCreation(kind: 'people' | 'companies') {
  const { crm, me } = useConsole()
  return async (draft: ContactDraft, required: ReturnType<typeof requiredInput>): Promise<string> => {
    const email = collapseSpaces(draft.email)
    const phone = collapseSpaces(draft.phone)
    const contact = {
      full_name: collapseSpaces(draft.name),
      owner_user_id: me.id,
      ...required,
      ...(email && { emails: [{ email }] }),
      ...(phone && { phones: [{ phone }] }),
    }
    if (kind === 'companies') return (await crm.companies.create(contact)).id
    const { company } = draft
    const company_id = company && (company.id ?? (await crm.companies.create({ full_name: company.name })).id)
    return (await crm.people.create({ ...contact, company_id })).id
  }
}
