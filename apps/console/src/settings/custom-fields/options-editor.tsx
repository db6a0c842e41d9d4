import type { SelectOption } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { fieldErrors } from '../../cache/explain-error.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Field, FieldError, Input } from '../../ui/field.tsx'
import { announce } from '../../ui/live-region.tsx'
import { InlineText } from '../frame/inline-text.tsx'
import { partStyles, Section } from '../frame/part-page.tsx'
import { Grip, orderStyles } from '../order/grip.tsx'
import { useReorder } from '../order/use-reorder.ts'
import { useSettingsTexts } from '../texts.ts'
import styles from './custom-field-page.module.css'
import { deriveOptionKey } from './field-rules.ts'
import { useCustomFieldTexts } from './texts.ts'
import type { UpdateCustomField } from './use-custom-field-update.ts'

const MAX_OPTIONS = 200
const MAX_OPTION_LENGTH = 80

interface OptionsEditorProps {
  readonly options: readonly SelectOption[]
  readonly update: UpdateCustomField
}

/** The options of a selection. Each change is saved at once. */
export function OptionsEditor({ options, update }: OptionsEditorProps) {
  const texts = useCustomFieldTexts()
  const { setOptions, rename, remove, error } = useOptionChanges(options, update)
  const order = useReorder({
    items: options,
    keyOf: ({ key }) => key,
    nameOf: ({ option }) => option,
    reorder: (next) => setOptions(next),
  })
  return (
    <Section level={2} title={texts.options}>
      <ol ref={order.listRef} class={partStyles.rows} aria-label={texts.options}>
        {order.shown.map((option, index) => (
          <li
            key={option.key}
            data-row={option.key}
            class={classNames(
              styles.option,
              orderStyles.row,
              order.liftedKey === option.key && orderStyles.isLifted,
            )}
          >
            <Grip
              itemKey={option.key}
              name={option.option}
              at={index + 1}
              of={options.length}
              order={order}
            />
            <OptionFields
              option={option}
              index={index}
              rename={(name, onError) => rename(option.key, name, onError)}
              remove={options.length > 1 ? () => remove(option.key) : undefined}
              error={error?.key === option.key ? error.text : undefined}
            />
          </li>
        ))}
      </ol>
      {options.length < MAX_OPTIONS && (
        <OptionForm
          add={(name) => setOptions([...options, { key: deriveOptionKey(name, options), option: name }])}
        />
      )}
    </Section>
  )
}

function useOptionChanges(options: readonly SelectOption[], update: UpdateCustomField) {
  /** Why an option was not removed. */
  const [error, setError] = useState<{ readonly key: string; readonly text: string }>()
  const setOptions = (next: readonly SelectOption[], onError?: (error: unknown) => void) => {
    setError(undefined)
    update({ value: { select_list: [...next] } }, onError)
  }
  return {
    error,
    setOptions,
    rename: (key: string, name: string, onError: (error: unknown) => void) =>
      setOptions(
        options.map((each) => (each.key === key ? { ...each, option: name } : each)),
        onError,
      ),
    remove: (key: string) =>
      setOptions(
        options.filter((each) => each.key !== key),
        (error) => setError({ key, text: Object.values(fieldErrors(error)).join(' ') || String(error) }),
      ),
  }
}

interface OptionFieldsProps {
  readonly option: SelectOption
  readonly index: number
  readonly rename: (name: string, onError: (error: unknown) => void) => void
  /** Undefined for the last option, which stays. */
  readonly remove: (() => void) | undefined
  /** Why it was not removed. */
  readonly error: string | undefined
}

function OptionFields({ option, index, rename, remove, error }: OptionFieldsProps) {
  const settings = useSettingsTexts()
  const texts = useCustomFieldTexts()
  return (
    <>
      <div class={styles.optionName}>
        <InlineText
          label={texts.option(index + 1)}
          field={`value.select_list[${index}].option`}
          value={option.option}
          maxLength={MAX_OPTION_LENGTH}
          save={rename}
        />
      </div>
      <code class={partStyles.rowEnd}>{option.key}</code>
      {remove && (
        <IconButton small icon="trash" label={settings.deleteItem(option.option)} onClick={remove} />
      )}
      {error && (
        <div class={styles.optionError} role="alert">
          <FieldError>{error}</FieldError>
        </div>
      )}
    </>
  )
}

function OptionForm({ add }: { readonly add: (name: string) => void }) {
  const { texts: shared } = useConsole()
  const settings = useSettingsTexts()
  const texts = useCustomFieldTexts()
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  return (
    <form
      class={styles.optionForm}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const typed = name.trim()
        setError(typed === '' ? shared.errors.required : undefined)
        if (typed === '') return
        add(typed)
        setName('')
        announce(settings.created(typed))
      }}
    >
      <div class={styles.optionName}>
        <Field label={texts.newOption} error={error}>
          {(ids) => <Input {...ids} maxLength={MAX_OPTION_LENGTH} value={name} change={setName} />}
        </Field>
      </div>
      <Button type="submit" icon="plus">
        {shared.actions.add}
      </Button>
    </form>
  )
}
