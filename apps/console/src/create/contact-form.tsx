import { useConsole } from '../app/console-context.ts'
import { type PickedRecord, RecordPicker } from '../records/record-picker.tsx'
import { Field, Input } from '../ui/field.tsx'
import { showDone } from '../ui/toasts.tsx'
import type { CreateDefaults } from './create-defaults.ts'
import { useDraft } from './draft.ts'
import { FormFrame } from './form-frame.tsx'
import { RequiredFields, requiredInput, useRequiredFields } from './required-fields.tsx'
import { useCreateForm } from './use-create-form.ts'

interface ContactFormProps {
  readonly kind: 'people' | 'companies'
  readonly defaults: CreateDefaults
  readonly close: (id?: string) => void
}

interface ContactDraft {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly company: PickedRecord | null
  readonly required: Readonly<Record<string, string>>
}

/** Creates a person or a company. */
export function ContactForm({ kind, defaults, close }: ContactFormProps) {
  const { crm, me, texts } = useConsole()
  const form = useCreateForm()
  const requiredFields = useRequiredFields(kind)
  const [draft, setDraft, clearDraft] = useDraft<ContactDraft>(kind, {
    name: defaults.name ?? '',
    email: '',
    phone: '',
    company: defaults.company
      ? { kind: 'companies', id: defaults.company.id, name: defaults.company.full_name }
      : null,
    required: {},
  })

  async function create(): Promise<void> {
    const contact = {
      full_name: draft.name.trim(),
      owner_user_id: me.id,
      ...requiredInput(requiredFields, draft.required),
      ...(draft.email.trim() && { emails: [{ email: draft.email.trim() }] }),
      ...(draft.phone.trim() && { phones: [{ phone: draft.phone.trim() }] }),
    }
    const { id } =
      kind === 'people'
        ? await crm.people.create({ ...contact, ...(await companyField()) })
        : await crm.companies.create(contact)
    clearDraft()
    showDone(texts.create.created(contact.full_name))
    close(id)
  }

  async function companyField(): Promise<{ readonly company_id?: string }> {
    const { company } = draft
    if (!company) return {}
    return { company_id: company.id ?? (await crm.companies.create({ full_name: company.name })).id }
  }

  const inputOf = (name: 'name' | 'email' | 'phone', type: 'text' | 'email' | 'tel') => (ids: object) => (
    <Input
      {...ids}
      type={type}
      autoFocus={name === 'name'}
      value={draft[name]}
      change={(value) => setDraft({ ...draft, [name]: value })}
    />
  )
  return (
    <FormFrame
      form={form}
      close={() => close()}
      submitLabel={texts.create.submit}
      submit={() =>
        form.submit(create, { full_name: draft.name.trim() === '' ? texts.faults.required : undefined })
      }
    >
      <Field label={texts.labels.name} fault={form.faults['full_name']}>
        {inputOf('name', 'text')}
      </Field>
      <Field label={texts.labels.email} fault={form.faults['emails[0].email'] ?? form.faults['emails']}>
        {inputOf('email', 'email')}
      </Field>
      <Field label={texts.labels.phone} fault={form.faults['phones[0].phone'] ?? form.faults['phones']}>
        {inputOf('phone', 'tel')}
      </Field>
      {kind === 'people' && (
        <Field label={texts.labels.company} fault={form.faults['company_id']}>
          {(ids) => (
            <RecordPicker
              ids={ids}
              kinds={['companies']}
              creates={['companies']}
              picked={draft.company}
              pick={(company) => setDraft({ ...draft, company })}
            />
          )}
        </Field>
      )}
      <RequiredFields
        fields={requiredFields}
        values={draft.required}
        change={(required) => setDraft({ ...draft, required })}
        faults={form.faults}
      />
    </FormFrame>
  )
}
