import type { Import } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { useNow } from '../../app/now.tsx'
import { ConfirmDialog } from '../../settings/frame/confirm-dialog.tsx'
import { Button, buttonStyles } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import { useImportStep } from '../queries.ts'
import { sumCounts } from '../run/sum-counts.ts'
import { useImportTexts } from '../texts/texts.ts'
import own from './result.module.css'

interface UndoPanelProps {
  readonly opened: Import
}

/** The way back, and the way to another file with the same rules. */
export function UndoPanel({ opened }: UndoPanelProps) {
  const { result } = useImportTexts()
  const canBeUndone = opened.state === 'done' || opened.state === 'cancelled'
  return (
    <aside class={styles.problems} aria-label={canBeUndone ? result.undo : result.again}>
      {canBeUndone && <Undo opened={opened} />}
      <p class={classNames(text.soft, text.small)}>{result.againText}</p>
      <Link class={classNames(buttonStyles.button, own.isWide)} href={`/import?like=${opened.id}`}>
        <Icon name="refresh" />
        {result.again}
      </Link>
    </aside>
  )
}

function Undo({ opened }: UndoPanelProps) {
  const { dates } = useConsole()
  const now = useNow()
  const { result } = useImportTexts()
  const step = useImportStep(opened.id)
  const [asks, setAsks] = useState(false)
  const expires = new Date(opened.expires_at)
  const { created, updated } = sumCounts(opened.counts)
  const points = [
    created > 0 && { icon: 'trash' as const, text: result.takesOut(created) },
    updated > 0 && { icon: 'refresh' as const, text: result.putsBack(updated) },
    { icon: 'person' as const, text: result.changedStays },
  ].filter((point) => point !== false)
  return (
    <>
      <h2>{result.undo}</h2>
      {expires <= now ? (
        <p class={text.soft}>{result.expired}</p>
      ) : (
        <>
          <p class={text.small}>{result.until(dates.day(expires, now))}</p>
          <ul class={own.points}>
            {points.map((point) => (
              <li key={point.text}>
                <Icon name={point.icon} />
                <span>{point.text}</span>
              </li>
            ))}
          </ul>
          <Button class={own.isWide} aria-haspopup="dialog" onClick={() => setAsks(true)}>
            {result.undoNow}
          </Button>
        </>
      )}
      {asks && (
        <ConfirmDialog
          title={result.undoTitle(opened.name)}
          confirmLabel={result.confirmUndo}
          confirm={() => {
            setAsks(false)
            step.mutate((imports) => imports.revert(opened.id))
          }}
          close={() => setAsks(false)}
        >
          {points.map((point) => point.text).join(' ')}
        </ConfirmDialog>
      )}
    </>
  )
}
