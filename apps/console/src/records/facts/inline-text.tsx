import { type ComponentChildren, Fragment } from 'preact'
import { useId } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { DayInput } from '../../dates/day-input.tsx'
import { BreakableText } from '../../ui/breakable-text.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FieldError, Input, Textarea } from '../../ui/field.tsx'
import text from '../../ui/text.module.css'
import { type InlineEditOptions, useInlineEdit } from '../../ui/use-inline-edit.ts'
import { useIsReadOnly } from '../read-only.tsx'
import styles from './facts.module.css'
import { FixedValue } from './fixed-value.tsx'

/** An address that can be followed. */
export interface ValueLink {
  readonly href: string
  readonly text: string
}

interface InlineTextProps extends InlineEditOptions {
  readonly label: string
  /** What is shown; undefined for a field without a value. */
  readonly display: ComponentChildren | undefined
  /** In place of a value that is missing. */
  readonly addText?: string
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'date'
  readonly inputMode?: 'decimal' | 'numeric'
  /** The id of a `datalist`. */
  readonly suggestions?: string
  /** In a cell of a table: the row is the stop of the Tab key, and E opens the field. */
  readonly isCell?: boolean
  /** In place of `display`, for a value that is one or more addresses. */
  readonly links?: readonly ValueLink[] | undefined
}

/** A field of a record that is edited where it stands. */
export function InlineText(props: InlineTextProps) {
  const { label, type = 'text', inputMode, suggestions, isMultiline, isCell = false } = props
  const edit = useInlineEdit(props)
  const errorId = useId()
  if (!edit.isEditing) return <InlineValue {...props} edit={edit} />
  const control = {
    ...edit.control,
    onKeyDown(event: KeyboardEvent) {
      if (!isCell || event.key !== 'Tab') return edit.control.onKeyDown(event)
      event.preventDefault()
      const cell = (event.currentTarget as Element).closest('td, th')
      edit.control.onBlur()
      // After the value is there again.
      requestAnimationFrame(() => editNextCell(cell, event.shiftKey))
    },
    'aria-label': label,
    'aria-invalid': edit.error === undefined ? undefined : (true as const),
    'aria-describedby': edit.error === undefined ? undefined : errorId,
  }
  return (
    <>
      {isMultiline ? (
        <Textarea {...control} rows={4} />
      ) : type === 'date' ? (
        <DayInput {...control} small />
      ) : (
        <Input {...control} small type={type} inputMode={inputMode} list={suggestions} />
      )}
      {edit.error && <FieldError id={errorId}>{edit.error}</FieldError>}
    </>
  )
}

interface InlineValueProps extends InlineTextProps {
  readonly edit: Pick<ReturnType<typeof useInlineEdit>, 'open' | 'button'>
}

function InlineValue(props: InlineValueProps) {
  const { label, display, addText, isCell = false, links = [], edit } = props
  const { texts } = useConsole()
  const isReadOnly = useIsReadOnly()
  if (links.length > 0) return <InlineLinks {...props} links={links} />
  if (isReadOnly) return <FixedValue isCell={isCell}>{display}</FixedValue>
  return (
    <button
      ref={edit.button}
      type="button"
      class={classNames(styles.value, isCell && styles.cell, display === undefined && styles.missing)}
      tabIndex={isCell ? -1 : undefined}
      data-edit
      title={`${texts.actions.edit}: ${label}`}
      onClick={edit.open}
    >
      {display ?? (isCell ? '—' : (addText ?? texts.record.addValue(label)))}
    </button>
  )
}

/** Addresses that can be followed, and the button that opens the field. */
function InlineLinks({ label, links = [], isCell = false, edit }: InlineValueProps) {
  const { texts } = useConsole()
  const isReadOnly = useIsReadOnly()
  return (
    <span class={classNames(styles.follow, isCell && styles.followInCell)}>
      <span class={classNames(styles.links, isCell && text.cut)}>
        {links.map((link, index) => (
          <Fragment key={index}>
            {isCell && index > 0 && ', '}
            <FollowedLink link={link} isCell={isCell} />
          </Fragment>
        ))}
      </span>
      {!isReadOnly && (
        <IconButton
          ref={edit.button}
          small
          icon="edit"
          label={`${texts.actions.edit} ${label}`}
          tabIndex={isCell ? -1 : undefined}
          data-edit
          onClick={edit.open}
        />
      )}
    </span>
  )
}

function FollowedLink({ link, isCell }: { readonly link: ValueLink; readonly isCell: boolean }) {
  return (
    <a
      class={isCell ? text.plain : styles.value}
      href={link.href}
      tabIndex={isCell ? -1 : undefined}
      {...(/^https?:/.test(link.href) && { target: '_blank', rel: 'noreferrer' })}
    >
      {isCell ? link.text : <BreakableText text={link.text} />}
    </a>
  )
}

/** Opens the next cell of the row that can be edited; after the last one, focuses the row. */
function editNextCell(cell: Element | null, isBackwards: boolean): void {
  const row = cell?.closest('tr')
  if (!row || cell?.querySelector('[aria-invalid=true]')) return
  const cells = [...row.cells].filter((each) => each === cell || each.querySelector('[data-edit]'))
  const next = cells[cells.indexOf(cell as HTMLTableCellElement) + (isBackwards ? -1 : 1)]
  if (next) next.querySelector<HTMLElement>('[data-edit]')?.click()
  else row.querySelector<HTMLElement>('th a, input')?.focus()
}
