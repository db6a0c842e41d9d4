import { Popover } from '@base-ui/react/popover'
import type { FilterCondition, FilterTree } from '@sales-crm/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import chip from '../ui/chip.module.css'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import menu from '../ui/menu.module.css'
import { ConditionForm } from './condition-form.tsx'
import type { ConditionWriter } from './describe-condition.ts'
import { countConditions } from './filter.ts'
import styles from './filter-bar.module.css'
import type { FilterField } from './filter-field.ts'
import { useFilterTexts } from './texts.ts'

interface ConditionChipProps {
  /** Undefined for one that was deleted. */
  readonly field: FilterField | undefined
  readonly condition: FilterCondition
  readonly writer: ConditionWriter
  readonly change: (condition: FilterCondition) => void
  readonly remove: () => void
}

/** A comparison, which a press changes. */
export function ConditionChip({ field, condition, writer, change, remove }: ConditionChipProps) {
  const texts = useFilterTexts()
  const [isOpen, setOpen] = useState(false)
  const words = writer.describe(condition)
  const sentence = writer.write(condition)
  if (!field)
    return (
      <span class={classNames(styles.chip, styles.gone)}>
        <span class={styles.words}>{texts.gone(condition.field)}</span>
        <RemoveButton label={texts.remove(sentence)} remove={remove} />
      </span>
    )
  return (
    <span class={styles.chip}>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger
          render={
            <button
              type="button"
              class={styles.words}
              aria-label={texts.edit(sentence)}
              onKeyDown={({ key }) => key === 'Delete' && remove()}
            >
              {words.field} {words.operator} <strong>{words.value}</strong>
            </button>
          }
        />
        <FormPopup label={sentence}>
          <ConditionForm
            field={field}
            condition={condition}
            save={(next) => {
              setOpen(false)
              change(next)
            }}
          />
        </FormPopup>
      </Popover.Root>
      <RemoveButton label={texts.remove(sentence)} remove={remove} />
    </span>
  )
}

interface NewConditionProps {
  readonly field: FilterField
  readonly save: (condition: FilterCondition) => void
  readonly cancel: () => void
}

/** A comparison of a field that was just chosen. */
export function NewCondition({ field, save, cancel }: NewConditionProps) {
  return (
    <span class={styles.chip}>
      <Popover.Root open onOpenChange={(isOpen) => isOpen || cancel()}>
        <Popover.Trigger
          render={
            <button type="button" class={styles.words}>
              {field.label}…
            </button>
          }
        />
        <FormPopup label={field.label}>
          <ConditionForm field={field} condition={undefined} save={save} />
        </FormPopup>
      </Popover.Root>
    </span>
  )
}

function FormPopup({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <Popover.Portal>
      <Popover.Positioner className={menu.positioner} align="start" sideOffset={4}>
        <Popover.Popup className={menu.float} aria-label={label}>
          {children}
        </Popover.Popup>
      </Popover.Positioner>
    </Popover.Portal>
  )
}

interface NestedChipProps {
  readonly tree: FilterTree
  readonly writer: ConditionWriter
  readonly remove: () => void
}

/** Comparisons within others, which are read and removed as a whole. */
export function NestedChip({ tree, writer, remove }: NestedChipProps) {
  const texts = useFilterTexts()
  const sentence = writer.write(tree)
  return (
    <span class={classNames(styles.chip, styles.nested)}>
      <span class={styles.words} title={sentence}>
        {countConditions(tree) > 3 ? texts.nested(countConditions(tree)) : sentence}
      </span>
      <RemoveButton label={texts.remove(sentence)} remove={remove} />
    </span>
  )
}

function RemoveButton({ label, remove }: { readonly label: string; readonly remove: () => void }) {
  return (
    <button type="button" class={classNames(chip.remove, styles.remove)} aria-label={label} onClick={remove}>
      <Icon name="x" small />
    </button>
  )
}
