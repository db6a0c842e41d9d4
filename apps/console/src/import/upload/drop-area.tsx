import type { ComponentChildren } from 'preact'
import { buttonStyles } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import text from '../../ui/text.module.css'
import { useFileDrop } from '../../ui/use-file-drop.ts'
import styles from '../import.module.css'
import { useImportTexts } from '../texts/texts.ts'
import own from './upload.module.css'

interface DropAreaProps {
  readonly take: (file: File) => void
  readonly children: ComponentChildren
}

/** A file may be dropped anywhere on the page. */
export function DropArea({ take, children }: DropAreaProps) {
  const { isOver, dropHandlers } = useFileDrop(([file]) => {
    if (file) take(file)
  })
  return (
    <div class={classNames(styles.scroll, isOver && own.isOver)} {...dropHandlers}>
      <div class={styles.page}>{children}</div>
    </div>
  )
}

/** The place where a file is dropped or chosen. */
export function FileChoice({ take }: Pick<DropAreaProps, 'take'>) {
  const texts = useImportTexts()
  return (
    <div class={own.drop}>
      <label class={classNames(buttonStyles.button, buttonStyles['main'], own.choose)}>
        <Icon name="upload" />
        {texts.file.choose}
        <input
          type="file"
          class={text.hidden}
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,text/tab-separated-values,text/plain"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            if (file) take(file)
            // The same file can be chosen again after it was changed.
            currentTarget.value = ''
          }}
        />
      </label>
      <span class={classNames(text.soft, text.deskOnly)}>{texts.file.drop}</span>
    </div>
  )
}
