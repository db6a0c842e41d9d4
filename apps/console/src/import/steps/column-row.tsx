import { useMemo } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import text from '../../ui/text.module.css'
import { isRepeatable, type Target } from '../columns/target.ts'
import styles from '../import.module.css'
import type { SheetRow } from '../sheet/sheet.ts'
import { targetLabel } from '../target-label.ts'
import { useImportTexts } from '../texts.ts'
import type { ImportSession } from '../use-import-session.ts'
import { ColumnResult } from './column-result.tsx'

interface ColumnRowProps {
  readonly session: ImportSession
  readonly column: number
}

/** A column of the file, and the choice of what it becomes. */
export function ColumnRow({ session, column }: ColumnRowProps) {
  const { columns: texts } = useImportTexts()
  const { sheet } = session
  const head = sheet.heads[column] || texts.noHead(column + 1)
  const { samples, filled } = useMemo(() => sampleColumn(sheet.rows, column), [sheet, column])
  return (
    <tr>
      <th scope="row" title={head}>
        {head}
      </th>
      <td>
        <span class={classNames(styles.samples, text.soft)} title={samples.join(' · ')}>
          {samples.length > 0 ? samples.join(' · ') : texts.empty}
        </span>
      </td>
      <td>
        <Icon name="arrow" />
      </td>
      <td>
        <TargetSelect session={session} column={column} label={texts.becomesOf(head)} />
      </td>
      <td>
        <ColumnResult session={session} column={column} filled={filled} />
      </td>
    </tr>
  )
}

interface TargetSelectProps extends ColumnRowProps {
  readonly label: string
}

function TargetSelect({ session, column, label }: TargetSelectProps) {
  const texts = useImportTexts()
  const { targets, settings, change } = session
  const choose = (id: string) => {
    const corrections = new Map(settings.corrections)
    corrections.delete(column)
    change({ targets: settings.targets.with(column, id || undefined), corrections })
  }
  const isCustom = ({ kind }: Target) => kind === 'field' || kind === 'address'
  return (
    <Select small aria-label={label} value={settings.targets[column] ?? ''} change={choose}>
      <option value="">{texts.columns.notBroughtIn}</option>
      <TargetGroup
        label={texts.targetGroups.own}
        targets={targets.filter((target) => !isCustom(target))}
        session={session}
        column={column}
      />
      <TargetGroup
        label={texts.targetGroups.custom}
        targets={targets.filter(isCustom)}
        session={session}
        column={column}
      />
    </Select>
  )
}

interface TargetGroupProps extends ColumnRowProps {
  readonly label: string
  readonly targets: readonly Target[]
}

/** A target that another column has taken names that column. */
function TargetGroup({ label, targets, session, column }: TargetGroupProps) {
  const { texts: shared } = useConsole()
  const texts = useImportTexts()
  const { settings, sheet } = session
  if (targets.length === 0) return null
  return (
    <optgroup label={label}>
      {targets.map((target) => {
        const owner = isRepeatable(target) ? -1 : settings.targets.indexOf(target.id)
        const isTaken = owner >= 0 && owner !== column
        const name = targetLabel(target, texts, shared)
        const head = sheet.heads[owner] || texts.columns.noHead(owner + 1)
        return (
          <option key={target.id} value={target.id} disabled={isTaken}>
            {isTaken ? texts.columns.takenBy(name, head) : name}
          </option>
        )
      })}
    </optgroup>
  )
}

const MAX_SAMPLES = 2

function sampleColumn(rows: readonly SheetRow[], column: number) {
  const filled = rows.map(({ cells }) => cells[column]?.trim() ?? '').filter((cell) => cell !== '')
  const samples = new Set<string>()
  for (const cell of filled) if (samples.add(cell).size === MAX_SAMPLES) break
  return { samples: [...samples], filled: filled.length }
}
