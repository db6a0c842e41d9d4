import type { Import } from '@sales-crm/client'
import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { explainError } from '../../cache/explain-error.ts'
import { Button, buttonStyles } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import { saveFile } from '../../ui/save-file.ts'
import text from '../../ui/text.module.css'
import { showDone, showError } from '../../ui/toasts.tsx'
import { CountsTable } from '../check/counts-table.tsx'
import styles from '../import.module.css'
import { formatDuration } from '../steps/duration.ts'
import { Progress } from '../steps/progress.tsx'
import { StepHeading } from '../steps/step-heading.tsx'
import { useImportTexts } from '../texts/texts.ts'
import { KeptRecords } from './kept-records.tsx'
import { UndoPanel } from './undo-panel.tsx'

interface ResultStepProps {
  readonly opened: Import
}

/** What is in, what was left out, and the way back. */
export function ResultStep({ opened }: ResultStepProps) {
  const { result } = useImportTexts()
  return (
    <div class={styles.split}>
      <section class={styles.part} aria-label={result.title}>
        <StepHeading state={opened.state}>{opened.name}</StepHeading>
        <Outcome opened={opened} />
        {opened.reversal && opened.state === 'reverted' ? (
          opened.reversal.kept > 0 && <KeptRecords opened={opened} />
        ) : (
          <>
            <CountsTable counts={opened.counts} />
            <RecordLinks opened={opened} />
            {opened.rows_with_problems > 0 && <LeftOut opened={opened} />}
          </>
        )}
      </section>
      <UndoPanel opened={opened} />
    </div>
  )
}

function Outcome({ opened }: ResultStepProps) {
  const { result, run, ...texts } = useImportTexts()
  const { state, rows_with_problems: lost, done, reversal, seconds_left } = opened
  const rows = opened.rows ?? 0
  if (state === 'reverting')
    return (
      <Progress
        label={result.undoing(opened.name)}
        done={reversal?.done ?? 0}
        total={reversal?.records ?? null}
      >
        {reversal && result.undoneSoFar(reversal.deleted, reversal.restored)}
        {seconds_left !== null && ` · ${run.left(formatDuration(seconds_left, texts))}`}
      </Progress>
    )
  if (state === 'reverted' && reversal)
    return <Notice>{result.undone(reversal.deleted, reversal.restored)}</Notice>
  if (state === 'cancelled') return <Notice kind="caution">{result.cancelled(done, rows)}</Notice>
  return (
    <Notice kind={lost > 0 ? 'caution' : 'done'}>
      {result.done(rows - lost, rows)}
      {lost > 0 && result.lost(lost)}
    </Notice>
  )
}

/** The lists that have what came in, the newest first. */
function RecordLinks({ opened }: ResultStepProps) {
  const { result, kinds } = useImportTexts()
  const listed = opened.kinds.filter(
    (kind) => kind !== 'activities' && (opened.counts[kind]?.created ?? 0) > 0,
  )
  if (listed.length === 0) return null
  return (
    <div class={styles.actions}>
      {listed.map((kind) => (
        <Link
          key={kind}
          class={classNames(buttonStyles.button)}
          href={`/${kind}?sort=created_at&order=desc${kind === 'deals' ? '&view=table&status=all' : ''}`}
        >
          {result.open(kinds[kind])}
        </Link>
      ))}
    </div>
  )
}

function LeftOut({ opened }: ResultStepProps) {
  const { download, texts: shared, formatNumber } = useConsole()
  const { result } = useImportTexts()
  const save = async () => {
    const name = `${opened.name.replace(/\.\w{1,6}$/, '')} - ${result.leftOutName}.csv`
    try {
      saveFile(name, await download(`imports/${opened.id}/failed-rows`))
      showDone(result.saved(name))
    } catch (error) {
      showError(explainError(error, shared))
    }
  }
  return (
    <section class={styles.block} aria-label={result.leftOut}>
      <div class={styles.blockHead}>
        <h2>{result.leftOut}</h2>
        <span class={text.count}>{formatNumber(opened.rows_with_problems)}</span>
      </div>
      <p class={text.soft}>{result.leftOutText}</p>
      <div class={styles.actions}>
        <Button icon="download" onClick={() => void save()}>
          {result.leftOutFile}
        </Button>
        <Link class={buttonStyles.button} href={`/import?like=${opened.id}`}>
          {result.mended}
        </Link>
      </div>
    </section>
  )
}
