import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { Select } from '../../ui/field.tsx'
import { useImportTexts } from '../texts/texts.ts'
import type { ColumnChanges, ColumnRowProps } from './column-row-props.ts'
import styles from './columns.module.css'
import { NEW_FIELD, newField, type Target, type TargetGroup, targetId } from './target.ts'
import { fieldLabel } from './target-label.ts'

interface TargetSelectProps extends ColumnRowProps {
  /** The name of the column. */
  readonly head: string
}

/** Chooses the field that a column becomes. */
export function TargetSelect(props: TargetSelectProps) {
  const { column, groups, takesFocus, change, head } = props
  const texts = useImportTexts()
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    if (takesFocus) select.current?.focus()
  }, [])
  const { target } = column
  const choose = (id: string) => {
    const chosen = findTarget(groups, id, head)
    change({ target: chosen as ColumnChanges['target'] })
  }
  return (
    <Select
      ref={select}
      small
      class={target === null ? styles.leftOut : undefined}
      aria-label={texts.columns.becomesOf(head)}
      value={target ? targetId(target) : ''}
      change={choose}
    >
      <option value="">{texts.leaveOut}</option>
      {groups.map((group) => (
        <Group key={group.kind} {...props} group={group} />
      ))}
    </Select>
  )
}

function findTarget(groups: readonly TargetGroup[], id: string, head: string): Target | null {
  const found = groups.flatMap(({ targets }) => targets).find((target) => targetId(target) === id)
  const group = groups.find(({ kind }) => id === targetId({ kind, field: NEW_FIELD }))
  return found ?? (group ? newField(group.kind, head) : null)
}

/** A field that another column has taken names that column. */
function Group({ group, ...props }: TargetSelectProps & { readonly group: TargetGroup }) {
  const { column, columns, index, fields, taken } = props
  const { texts: shared } = useConsole()
  const texts = useImportTexts()
  const own = column.target?.kind === group.kind ? column.target : undefined
  const isListed = own === undefined || group.targets.some(({ field }) => field === own.field)
  // A proposal may be more exact than the menu.
  const targets = isListed || own.field === NEW_FIELD ? group.targets : [own, ...group.targets]
  return (
    <optgroup label={texts.kind[group.kind]}>
      {targets.map((target) => {
        const id = targetId(target)
        const owner = taken.get(id)
        const isTaken = owner !== undefined && owner !== index
        const shown = own && targetId(own) === id ? own : target
        const label = fieldLabel(shown, { texts, shared, fields })
        const other = isTaken ? columns[owner]?.name || texts.columns.noHead(owner + 1) : ''
        return (
          <option key={id} value={id} disabled={isTaken}>
            {isTaken ? texts.taken(label, other) : label}
          </option>
        )
      })}
      {group.hasNewField && (
        <option value={targetId({ kind: group.kind, field: NEW_FIELD })}>{texts.newField}</option>
      )}
    </optgroup>
  )
}
