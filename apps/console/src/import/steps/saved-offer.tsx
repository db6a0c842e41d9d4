import { useMemo } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import { countOutcomes } from '../run/progress.ts'
import type { SavedImport } from '../saved/saved-import.ts'
import { parseSheet } from '../sheet/parse-sheet.ts'
import { useImportTexts } from '../texts.ts'

interface SavedOfferProps {
  readonly saved: SavedImport
  readonly goOn: (saved: SavedImport) => void
  readonly discard: () => void
}

/** Offers to go on with the file that was left. */
export function SavedOffer({ saved, goOn, discard }: SavedOfferProps) {
  const texts = useImportTexts()
  const { name, text: content } = saved.file
  const sheet = useMemo(() => parseSheet(content), [content])
  if ('code' in sheet) return null
  const { created, updated } = countOutcomes(saved.progress)
  return (
    <section class={styles.saved} aria-label={name}>
      <p class={text.soft}>{texts.file.goOnText(created + updated, sheet.rows.length)}</p>
      <div class={styles.actions}>
        <Button look="main" onClick={() => goOn(saved)}>
          {texts.file.goOn(name)}
        </Button>
        <Button look="quiet" onClick={discard}>
          {texts.file.discard}
        </Button>
      </div>
    </section>
  )
}
