import type { ProblemGroup } from '@sales-crm/client'
import type { ComponentChildren, Ref } from 'preact'
import { useConsole } from '../../app/console-context.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import { useImportTexts } from '../texts/texts.ts'
import own from './check.module.css'

const MAX_VALUES = 3

interface ProblemListProps {
  readonly problems: readonly ProblemGroup[]
  readonly rowsWithProblems: number
  readonly chosen: number
  readonly choose: (index: number) => void
}

/** The rules that cells break. Each shows its rows. */
export function ProblemList({ problems, rowsWithProblems, chosen, choose }: ProblemListProps) {
  const { formatNumber } = useConsole()
  const { check, ...texts } = useImportTexts()
  const title = rowsWithProblems === 0 ? check.noProblems : check.problems(rowsWithProblems)
  return (
    <aside class={styles.problems} aria-label={title}>
      <h2>{title}</h2>
      <ul class={own.problemList}>
        {problems.map(({ kind, column, message, is_blank, ...problem }, index) => (
          <li key={`${kind} ${column} ${message} ${is_blank}`}>
            <button
              type="button"
              class={own.problem}
              aria-pressed={index === chosen}
              onClick={() => choose(index)}
            >
              <span class={own.problemLine}>
                <b>{check.problem(column, withoutStop(texts.rule({ ...problem, message })))}</b>
                <span class={is_blank ? text.count : text.lateCount}>{formatNumber(problem.count)}</span>
              </span>
              <span class={text.soft}>
                {[is_blank && check.leftEmpty, quoteValues(problem.values)].filter(Boolean).join(': ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {problems.some(({ is_blank }) => !is_blank) && (
        <p class={classNames(text.soft, text.small)}>{check.hint}</p>
      )}
    </aside>
  )
}

function quoteValues(values: ProblemGroup['values']): string {
  return values
    .slice(0, MAX_VALUES)
    .map(({ value }) => `“${value}”`)
    .join(', ')
}

interface ProblemCellsProps {
  readonly problem: ProblemGroup
  /** Leaves the column out, and checks again. Undefined if the problem has no column. */
  readonly leaveOut: (() => void) | undefined
  readonly headingRef: Ref<HTMLHeadingElement>
  /** What may be done about it. */
  readonly children?: ComponentChildren
}

/** The first rows of a problem, and what ends it for all. */
export function ProblemCells({ problem, leaveOut, headingRef, children }: ProblemCellsProps) {
  const { formatNumber } = useConsole()
  const { check, columns, ...texts } = useImportTexts()
  return (
    <div class={styles.block}>
      <div class={styles.blockHead}>
        <h2 ref={headingRef}>{check.problem(problem.column, withoutStop(texts.rule(problem)))}</h2>
        <span class={text.count}>
          {check.shown(problem.cells.length, problem.count)}
          {problem.is_blank && ` · ${check.leftEmpty}`}
        </span>
        {leaveOut && (
          <Button small class={text.push} onClick={leaveOut}>
            {check.leaveOut}
          </Button>
        )}
      </div>
      {children}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by the keyboard. */}
      <section class={classNames(styles.framed, own.isLow)} tabIndex={0} aria-label={check.cells}>
        <table class={styles.table} aria-label={check.cells}>
          <thead>
            <tr>
              <th scope="col" class={styles.isNumber}>
                {check.row}
              </th>
              <th scope="col">{check.value}</th>
            </tr>
          </thead>
          <tbody>
            {problem.cells.map(({ row, value }) => (
              <tr key={row}>
                <td class={classNames(styles.isNumber, text.soft)}>{formatNumber(row)}</td>
                <td>
                  {value === '' ? <span class={text.soft}>{columns.empty}</span> : <mark>{value}</mark>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

/** A sentence as a heading. */
function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
