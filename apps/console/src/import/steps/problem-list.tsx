import { useRef } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import text from '../../ui/text.module.css'
import { leftOutReasons } from '../error-text.ts'
import styles from '../import.module.css'
import { writeLeftOut } from '../rows/left-out-csv.ts'
import type { Problem } from '../rows/problem.ts'
import { useImportTexts } from '../texts.ts'
import type { ImportSession } from '../use-import-session.ts'
import { downloadCsv } from './download.ts'
import { ProblemCard } from './problem-card.tsx'

interface ProblemListProps {
  readonly session: ImportSession
  readonly problems: readonly Problem[]
  readonly leaveBlankLabel: string
  /** Puts a text in place of what is wrong. Undefined while that is not possible. */
  readonly correct: ((problem: Problem, text: string) => void) | undefined
}

/** The rows that cannot be brought in, by their reasons. */
export function ProblemList({ session, problems, leaveBlankLabel, correct }: ProblemListProps) {
  const { problems: texts } = useImportTexts()
  const count = new Set(problems.flatMap(({ rows }) => rows)).size
  const heading = useRef<HTMLHeadingElement>(null)
  const title = count === 0 ? texts.none : texts.title(count)
  return (
    <aside class={styles.problems} aria-label={title}>
      <div class={styles.blockHead}>
        <h2 ref={heading} class={styles.heading} tabIndex={-1}>
          {title}
        </h2>
        {count > 0 && <CsvButton session={session} />}
      </div>
      {problems.map((problem) => (
        <ProblemCard
          key={problem.id}
          session={session}
          problem={problem}
          leaveBlankLabel={leaveBlankLabel}
          correct={
            correct &&
            ((value) => {
              correct(problem, value)
              // The card goes, and with it the button that has the focus.
              heading.current?.focus()
            })
          }
        />
      ))}
      <p class={classNames(text.soft, text.small)}>{count === 0 ? texts.noneText : texts.hint}</p>
    </aside>
  )
}

function CsvButton({ session }: Pick<ProblemListProps, 'session'>) {
  const { texts: shared } = useConsole()
  const texts = useImportTexts()
  const { problems } = texts
  const download = () => {
    const { columns, readings, progress, sheet, file } = session
    const reasons = leftOutReasons(readings, progress, { columns, texts, shared })
    const name = `${file.name.replace(/\.\w{1,4}$/, '')} - ${problems.csvName}.csv`
    downloadCsv(name, writeLeftOut(sheet, reasons, problems.reason))
  }
  return (
    <Button
      small
      look="quiet"
      icon="download"
      class={text.push}
      aria-label={problems.csvLabel}
      onClick={download}
    >
      {problems.csv}
    </Button>
  )
}
