import type { Currency, NewProduct } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { collapseSpaces } from '../format/single-line.ts'
import { exampleAmount, parseMoney } from '../format/typed-money.ts'
import { showDone } from '../ui/toasts.tsx'
import { type CreateDefaults, placeOf } from './create-defaults.ts'
import { useDraft } from './draft.ts'
import { FormFrame } from './form-frame.tsx'
import { MoneyField } from './money-field.tsx'
import { TextField } from './text-field.tsx'
import { useCreateForm } from './use-create-form.ts'

interface ProductFormProps {
  readonly defaults: CreateDefaults
  /** After it was created. */
  readonly close: () => void
  readonly cancel: () => void
}

interface ProductDraft {
  readonly name: string
  readonly code: string
  readonly currency: Currency
  readonly amount: string
}

export function ProductForm({ defaults, close, cancel }: ProductFormProps) {
  const { crm, texts, workspace } = useConsole()
  const form = useCreateForm()
  const [draft, setDraft, clearDraft] = useDraft<ProductDraft>(placeOf('products', defaults), {
    name: defaults.name ?? '',
    code: '',
    currency: workspace.currency,
    amount: '',
  })
  const change = (changes: Partial<ProductDraft>) => setDraft({ ...draft, ...changes })
  const price_cts = parseMoney(draft.amount, draft.currency, workspace.locale)

  async function create(): Promise<void> {
    const input = toInput(draft, price_cts ?? 0)
    await crm.products.create(input)
    clearDraft()
    showDone(texts.create.created(input.name))
    close()
  }

  return (
    <FormFrame
      form={form}
      cancel={cancel}
      submitLabel={texts.create.submit}
      submit={() =>
        form.submit(create, {
          name: draft.name.trim() === '' ? texts.faults.required : undefined,
          price_cts:
            price_cts === undefined
              ? texts.faults.notAnAmount(draft.currency, exampleAmount(draft.currency, workspace.locale))
              : undefined,
        })
      }
    >
      <TextField
        autoFocus
        label={texts.labels.name}
        fault={form.faults['name']}
        value={draft.name}
        change={(name) => change({ name })}
      />
      <TextField
        label={texts.labels.code}
        fault={form.faults['code']}
        value={draft.code}
        change={(code) => change({ code })}
      />
      <MoneyField
        label={texts.labels.price}
        currency={draft.currency}
        amount={draft.amount}
        change={change}
        fault={form.faults['price_cts'] ?? form.faults['currency']}
      />
    </FormFrame>
  )
}

function toInput(draft: ProductDraft, price_cts: number): NewProduct {
  const code = collapseSpaces(draft.code)
  return { name: collapseSpaces(draft.name), currency: draft.currency, price_cts, ...(code && { code }) }
}
