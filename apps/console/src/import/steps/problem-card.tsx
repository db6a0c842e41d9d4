import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import text from '../../ui/text.module.css'
import { errorTitle } from '../error-text.ts'
import styles from '../import.module.css'
import type { Problem } from '../rows/problem.ts'
import { useImportTexts } from '../texts.ts'
import type { ImportSession } from '../use-import-session.ts'
import { listChoices } from './problem-choices.ts'
import { RowsDialog } from './rows-dialog.tsx'
import { useNameCreation } from './use-name-creation.ts'

interface ProblemCardProps {
  readonly session: ImportSession
  readonly problem: Problem
  readonly leaveBlankLabel: string
  readonly correct: ((text: string) => void) | undefined
}

const MAX_TEXTS = 3
const MAX_ROWS = 8

/** Rows that are wrong for the same reason, and what can be done about them. */
export function ProblemCard(props: ProblemCardProps) {
  const { session, problem, correct } = props
  const { texts: shared, formatNumber } = useConsole()
  const texts = useImportTexts()
  const [isOpen, setIsOpen] = useState(false)
  const { problems } = texts
  const title = errorTitle(problem, { columns: session.columns, texts, shared })
  const { rows, texts: wrong } = problem
  return (
    <article class={styles.problem} aria-label={title}>
      <h3>
        <span>{title}</span>
        <span class={text.lateCount}>{formatNumber(rows.length)}</span>
      </h3>
      {wrong.length > 0 && (
        <p class={text.soft}>
          {problems.texts(wrong.slice(0, MAX_TEXTS), Math.max(0, wrong.length - MAX_TEXTS))}
        </p>
      )}
      <p class={text.tiny}>{problems.rows(rows.slice(0, MAX_ROWS), Math.max(0, rows.length - MAX_ROWS))}</p>
      <div class={styles.actions}>
        <Button small onClick={() => setIsOpen(true)}>
          {problems.showRows}
        </Button>
        {correct && <Remedies {...props} correct={correct} />}
      </div>
      {isOpen && (
        <RowsDialog session={session} problem={problem} title={title} close={() => setIsOpen(false)} />
      )}
    </article>
  )
}

interface RemediesProps extends ProblemCardProps {
  readonly correct: (text: string) => void
}

function Remedies({ session, problem, leaveBlankLabel, correct }: RemediesProps) {
  const { problems } = useImportTexts()
  const { columns, names } = session
  const choices = listChoices(problem, columns, names)
  const creation = useNameCreation(problem, columns)
  const { column, reason, texts } = problem
  return (
    <>
      {creation && (
        <Button small onClick={creation.run}>
          {creation.label}
        </Button>
      )}
      {choices.length > 0 && (
        <Menu
          label={problems.chooseForAll}
          trigger={<Button small>{problems.chooseForAll}</Button>}
          groups={[{ actions: choices.map(({ label, value }) => ({ label, select: () => correct(value) })) }]}
        />
      )}
      {column !== undefined && texts.length > 0 && reason !== 'noName' && (
        <Button small onClick={() => correct('')}>
          {leaveBlankLabel}
        </Button>
      )}
    </>
  )
}
