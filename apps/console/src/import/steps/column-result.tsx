import { useConsole } from '../../app/console-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icons.tsx'
import styles from '../import.module.css'
import { useImportTexts } from '../texts.ts'
import type { ImportSession } from '../use-import-session.ts'

interface ColumnResultProps {
  readonly session: ImportSession
  readonly column: number
  /** The rows that have something in the column. */
  readonly filled: number
}

/** What becomes of a column: how many values it has, or how many are wrong. */
export function ColumnResult(props: ColumnResultProps) {
  const { icon, words } = useResult(props)
  const look = icon === 'alert' ? styles.isWrong : undefined
  return (
    <span class={classNames(styles.result, look)}>
      <Icon name={icon} />
      {words}
    </span>
  )
}

function useResult({ session, column, filled }: ColumnResultProps): { icon: IconName; words: string } {
  const { formatNumber } = useConsole()
  const texts = useImportTexts()
  const { columns, problems, plan, lookup, sheet } = session
  const target = columns[column]
  const problem = problems.find((each) => each.column === column)
  if (!target) return { icon: 'minus', words: texts.columns.notBroughtInResult }
  if (problem) {
    const { reason, rows } = problem
    const count = rows.length
    return {
      icon: 'alert',
      words: typeof reason === 'string' ? texts.problems.results[reason](count) : texts.problems.wrong(count),
    }
  }
  if (target.kind === 'company') {
    const { foundCompanies, newCompanies } = plan
    const words = lookup.isComplete
      ? texts.columns.found(foundCompanies, newCompanies)
      : texts.columns.looking
    return { icon: 'check', words }
  }
  const isWhole = target.kind === 'fullName'
  return {
    icon: 'check',
    words: isWhole ? texts.columns.ofAll(filled, sheet.rows.length) : formatNumber(filled),
  }
}
