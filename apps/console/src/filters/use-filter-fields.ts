import type { CustomField } from '@sales-crm/client'
import { CURRENCIES } from '@sales-crm/core/browser'
import { useMemo } from 'preact/hooks'
import { type Console, useConsole } from '../app/console-context.ts'
import type { KindFields, RecordField } from '../fields/field.ts'
import { KIND_FIELDS } from '../fields/kind-fields.ts'
import { fieldsOfKind } from '../records/facts/fields-of-kind.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { useMenu } from '../reference/queries.ts'
import type { FilterChoice, FilterField, FilterType } from './filter-field.ts'
import { type FilterTexts, useFilterTexts } from './texts.ts'

/** The fields by which a list of a kind is filtered: those of its tables and pages, its labels and custom fields. */
export function useFilterFields(kind: CreatableKind): readonly FilterField[] {
  const console = useConsole()
  const texts = useFilterTexts()
  const [members, pipelines, tags, lists, customFields] = [
    useMenu('members').data,
    useMenu('pipelines').data,
    useMenu('tags').data,
    useMenu('lists').data,
    useMenu('customFields').data,
  ]
  return useMemo(() => {
    const { me, texts: shared } = console
    const owners = [
      { value: 'me', label: texts.me },
      { value: 'my_team', label: texts.myTeam },
      { value: 'nobody', label: texts.nobody },
      ...(members ?? []).filter(({ id }) => id !== me.id).map(({ id, name }) => ({ value: id, label: name })),
    ]
    const manyPipelines = (pipelines?.length ?? 0) > 1
    const stages = (pipelines ?? []).flatMap((pipeline) =>
      pipeline.stages.map(({ id, name }) => ({
        value: id,
        label: manyPipelines ? `${name} (${pipeline.name})` : name,
      })),
    )
    const fields = listFields(KIND_FIELDS[kind] as KindFields<never>).flatMap((field) =>
      toFilterField(field, { console, texts, owners, stages }),
    )
    const hasLabels = kind === 'people' || kind === 'companies' || kind === 'deals'
    return [
      ...fields,
      ...(hasLabels
        ? [
            options(
              'tags',
              shared.labels.tags,
              (tags ?? []).map(({ key, name, color }) => ({ value: key, label: name, colour: color })),
            ),
            options(
              'lists',
              shared.labels.lists,
              (lists ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ),
          ]
        : []),
      ...(kind === 'deals' ? [statusField(console), currencyField(console)] : []),
      ...fieldsOfKind(customFields ?? [], kind).flatMap(toCustomField),
    ]
  }, [kind, console, texts, members, pipelines, tags, lists, customFields])
}

/** Each field once. */
function listFields({ columns, moreColumns, facts }: KindFields<never>): readonly RecordField<never>[] {
  const all = [...columns, ...moreColumns, ...facts]
  return all.filter(({ name }, index) => all.findIndex((each) => each.name === name) === index)
}

interface FieldContext {
  readonly console: Console
  readonly texts: FilterTexts
  readonly owners: readonly FilterChoice[]
  readonly stages: readonly FilterChoice[]
}

const TYPES: Readonly<Partial<Record<RecordField<never>['type'] | 'text' | 'money' | 'date', FilterType>>> = {
  text: 'text',
  money: 'amount',
  date: 'day',
  email: 'emails',
  tel: 'phones',
}

function toFilterField(
  field: RecordField<never>,
  { console, texts, owners, stages }: FieldContext,
): readonly FilterField[] {
  const { name } = field
  const label = field.label(console.texts)
  const plain = { name, label, choices: [] }
  switch (field.type) {
    case 'owner':
      return [{ ...plain, type: 'owner', choices: owners }]
    case 'stage':
      return [{ ...plain, type: 'record', choices: stages }]
    case 'link':
      return [{ ...plain, name: `${name}.full_name`, label: texts[field.links[0]], type: 'text' }]
    case 'choice':
      return [toChoice(plain, field.choices(console.texts))]
    default: {
      const type = field.filter ?? TYPES[field.type]
      if (type === undefined) return []
      const choices = 'filterChoices' in field ? field.filterChoices?.(console.texts) : undefined
      if (choices) return [toChoice(plain, choices)]
      return [{ ...plain, type }]
    }
  }
}

type Choices = readonly (readonly [value: string | boolean, label: string])[]

function toChoice(plain: Omit<FilterField, 'type'>, choices: Choices): FilterField {
  const isFlag = choices.some(([value]) => typeof value === 'boolean')
  return {
    ...plain,
    type: isFlag ? 'flag' : 'choice',
    choices: choices.map(([value, label]) => ({ value: String(value), label })),
  }
}

function options(name: string, label: string, choices: readonly FilterChoice[]): FilterField {
  return { name, label, type: 'options', choices }
}

function statusField({ texts: { labels, deals } }: Console): FilterField {
  return {
    ...{ name: 'stage.type', label: labels.status, type: 'choice' },
    choices: [
      { value: 'open', label: deals.openStatus },
      { value: 'win', label: deals.won },
      { value: 'lost', label: deals.lost },
    ],
  }
}

function currencyField({ texts }: Console): FilterField {
  const choices = CURRENCIES.map((value) => ({ value, label: value }))
  return { name: 'currency', label: texts.labels.currency, type: 'choice', choices }
}

const CUSTOM_TYPES: Readonly<Partial<Record<CustomField['type'], FilterType>>> = {
  ...{ text: 'text', long_text: 'text', cpf: 'text', cnpj: 'text', link: 'text' },
  ...{ number: 'number', date: 'day', select: 'choice', multi_select: 'options' },
}

function toCustomField({ key, label, type, value }: CustomField): readonly FilterField[] {
  const filterType = CUSTOM_TYPES[type]
  if (filterType === undefined) return []
  const choices = (value?.select_list ?? []).map((each) => ({ value: each.key, label: each.option }))
  return [{ name: `custom_fields.${key}`, label, type: filterType, choices }]
}
