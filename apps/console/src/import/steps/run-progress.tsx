import { useConsole } from '../../app/console-context.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import { WRITES_PER_MINUTE } from '../run/paces.ts'
import { useImportTexts } from '../texts.ts'
import type { ImportSession } from '../use-import-session.ts'
import { formatDuration } from './duration.ts'

/** How far the import is. */
export function RunProgress({ session }: { readonly session: ImportSession }) {
  const { formatNumber } = useConsole()
  const texts = useImportTexts()
  const { run } = texts
  const { runState, stop } = session
  if (!runState) return null
  const { status, done, total, secondsLeft } = runState
  return (
    <>
      {status === 'paused' && <Notice kind="caution">{run.pausedText}</Notice>}
      <progress class={styles.progress} max={total} value={done} aria-label={run.progress}>
        {formatNumber(done)}
      </progress>
      <p class={styles.progressText}>
        <b>{run.of(done, total)}</b>
        <span class={text.soft}>{run.left(formatDuration(secondsLeft, texts))}</span>
      </p>
      <p class={text.soft}>
        {run.runningText} {run.pace(WRITES_PER_MINUTE)}
      </p>
      <p>
        <Button onClick={stop}>{run.stop}</Button>
      </p>
    </>
  )
}
