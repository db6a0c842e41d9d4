import type { Product, ProductChanges } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { collapseSpaces } from '../format/single-line.ts'
import { editableMoney, exampleAmount, parseMoney } from '../format/typed-money.ts'
import { InlineChoice } from '../records/facts/inline-choice.tsx'
import { type FieldEdit, useRecordUpdate } from '../records/use-record-update.ts'
import type { Column } from '../table/column.ts'
import { EditableCell } from '../table/editable-cell.tsx'

type ProductColumn = Column<Product>

/** The columns of the products, which are edited where they stand. */
export function useProductColumns(): readonly ProductColumn[] {
  const { texts, dates } = useConsole()
  const { labels } = texts
  return [
    useTextColumn('name', labels.name),
    useTextColumn('code', labels.code),
    usePriceColumn(),
    useChoiceColumn('billing_cycle', labels.billing, Object.entries(texts.products.billing)),
    useChoiceColumn('is_active', labels.status, [
      [true, texts.products.active],
      [false, texts.products.inactive],
    ]),
    useTextColumn('description', labels.description),
    {
      key: 'created_at',
      label: labels.created,
      isDefault: false,
      render: ({ created_at }) => dates.dayWithYear(new Date(created_at)),
    },
  ]
}

function useTextColumn(key: 'name' | 'code' | 'description', label: string): ProductColumn {
  const { texts } = useConsole()
  function edit(typed: string): FieldEdit | string {
    const value = collapseSpaces(typed)
    if (key === 'name' && value === '') return texts.faults.required
    return fieldEdit({ [key]: value || null })
  }
  return {
    key,
    label,
    isDefault: true,
    render: ({ id, [key]: value }) => (
      <EditableCell
        kind="products"
        id={id}
        label={label}
        display={value ?? undefined}
        text={value ?? ''}
        edit={edit}
      />
    ),
  }
}

function usePriceColumn(): ProductColumn {
  const { texts, workspace, formatAmount } = useConsole()
  return {
    key: 'price',
    label: texts.labels.price,
    isNumber: true,
    isDefault: true,
    render: ({ id, price_cts, currency }) => {
      const price = { amount: price_cts, currency }
      return (
        <EditableCell
          kind="products"
          id={id}
          label={texts.labels.price}
          display={formatAmount(price)}
          text={editableMoney(price, workspace.locale)}
          inputMode="decimal"
          edit={(typed) => {
            const amount = parseMoney(typed, currency, workspace.locale)
            return amount === undefined
              ? texts.faults.notAnAmount(currency, exampleAmount(currency, workspace.locale))
              : fieldEdit({ price_cts: amount })
          }}
        />
      )
    },
  }
}

function useChoiceColumn<Field extends 'billing_cycle' | 'is_active'>(
  key: Field,
  label: string,
  choices: readonly (readonly [value: string | boolean, label: string])[],
): ProductColumn {
  const update = useRecordUpdate()
  const edit = (value: string | boolean) => fieldEdit({ [key]: value })
  return {
    key,
    label,
    isDefault: true,
    render: ({ id, [key]: current }) => (
      <InlineChoice
        label={label}
        display={choices.find(([value]) => value === current)?.[1]}
        actions={choices.map(([value, name]) => ({
          label: name,
          isChecked: value === current,
          select: () =>
            value !== current &&
            update({ kind: 'products', id, label, to: edit(value), from: edit(current) }),
        }))}
      />
    ),
  }
}

/** Fields that the API gets as it returns them. */
function fieldEdit(changes: ProductChanges): FieldEdit {
  return { changes, shown: changes }
}
