import type { Currency } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { parseMoney } from '../format/money.ts'
import { CURRENCIES } from '../reference/currencies.ts'
import { Field, Input, Joined, Select } from '../ui/field.tsx'
import { showDone } from '../ui/toasts.tsx'
import type { CreateDefaults } from './create-defaults.ts'
import { useDraft } from './draft.ts'
import { FormFrame } from './form-frame.tsx'
import { useCreateForm } from './use-create-form.ts'

interface ProductFormProps {
  readonly defaults: CreateDefaults
  readonly close: () => void
}

export function ProductForm({ defaults, close }: ProductFormProps) {
  const { crm, texts, workspace } = useConsole()
  const form = useCreateForm()
  const [draft, setDraft, clearDraft] = useDraft('products', {
    name: defaults.name ?? '',
    code: '',
    currency: workspace.currency,
    price: '',
  })
  const price_cts = parseMoney(draft.price, draft.currency, workspace.locale)

  async function create(): Promise<void> {
    const name = draft.name.trim()
    await crm.products.create({
      name,
      currency: draft.currency,
      price_cts: price_cts ?? 0,
      ...(draft.code.trim() && { code: draft.code.trim() }),
    })
    clearDraft()
    showDone(texts.create.created(name))
    close()
  }

  return (
    <FormFrame
      form={form}
      close={close}
      submitLabel={texts.create.submit}
      submit={() =>
        form.submit(create, {
          name: draft.name.trim() === '' ? texts.faults.required : undefined,
          price_cts: price_cts === undefined ? texts.faults.notAnAmount : undefined,
        })
      }
    >
      <Field label={texts.labels.name} fault={form.faults['name']}>
        {(ids) => (
          <Input
            {...ids}
            autoFocus
            value={draft.name}
            change={(value) => setDraft({ ...draft, name: value })}
          />
        )}
      </Field>
      <Field label={texts.labels.code} fault={form.faults['code']}>
        {(ids) => (
          <Input {...ids} value={draft.code} change={(value) => setDraft({ ...draft, code: value })} />
        )}
      </Field>
      <Field label={texts.labels.price} fault={form.faults['price_cts'] ?? form.faults['currency']}>
        {(ids) => (
          <Joined>
            <Select
              aria-label={texts.labels.currency}
              value={draft.currency}
              change={(value) => setDraft({ ...draft, currency: value as Currency })}
            >
              {CURRENCIES.map((currency) => (
                <option key={currency}>{currency}</option>
              ))}
            </Select>
            <Input
              {...ids}
              inputMode="decimal"
              value={draft.price}
              change={(value) => setDraft({ ...draft, price: value })}
            />
          </Joined>
        )}
      </Field>
    </FormFrame>
  )
}
