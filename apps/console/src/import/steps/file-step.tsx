import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { buttonStyles } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Field, FieldError, Textarea } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import text from '../../ui/text.module.css'
import { useFileDrop } from '../../ui/use-file-drop.ts'
import type { ImportKind } from '../can-import.ts'
import styles from '../import.module.css'
import type { ImportFile, SavedImport } from '../saved/saved-import.ts'
import type { Sheet, SheetError } from '../sheet/sheet.ts'
import { useImportTexts } from '../texts.ts'
import type { ImportTexts } from '../texts-en.ts'
import { type ReadFile, readFile, readText } from './read-file.ts'
import { SavedOffer } from './saved-offer.tsx'
import { StepBar } from './step-bar.tsx'
import { StepFoot } from './step-foot.tsx'
import { StepHeading } from './step-heading.tsx'

interface FileStepProps {
  readonly kind: ImportKind
  /** True if the user came back from a later step. */
  readonly isBack: boolean
  readonly saved: SavedImport | undefined
  readonly open: (file: ImportFile, sheet: Sheet) => void
  readonly goOn: (saved: SavedImport) => void
  readonly discard: () => void
}

/** Takes a file that is chosen or dropped, or rows that are pasted. */
export function FileStep({ kind, isBack, saved, open, goOn, discard }: FileStepProps) {
  const texts = useImportTexts()
  const [error, setError] = useState<SheetError>()
  const [pasted, setPasted] = useState('')
  const take = (read: ReadFile) => {
    if ('error' in read) return setError(read.error)
    setError(undefined)
    open(read.file, read.sheet)
  }
  const takeFile = (file: File) => void readFile(file).then(take)
  const takeText = (content: string) =>
    take(readText({ name: texts.file.pastedName, text: content, encoding: undefined }))
  usePaste(takeFile, takeText)
  return (
    <>
      <StepBar kind={kind} step="file" />
      <DropArea take={takeFile}>
        {saved && <SavedOffer saved={saved} goOn={goOn} discard={discard} />}
        <StepHeading takesFocus={isBack}>{texts.file.title}</StepHeading>
        <p class={text.soft}>{texts.file.lead}</p>
        <FileChoice take={takeFile} isMain={saved === undefined} />
        {error && (
          <div role="alert">
            <FieldError>{explainSheetError(error, texts)}</FieldError>
          </div>
        )}
        <Field label={texts.file.paste}>
          {(ids) => <Textarea {...ids} class={styles.paste} rows={4} value={pasted} change={setPasted} />}
        </Field>
        <p class={classNames(text.soft, text.small)}>{texts.file.limits}</p>
      </DropArea>
      {pasted.trim() !== '' && (
        <StepFoot next={{ label: texts.file.usePasted, isReady: true, run: () => takeText(pasted) }} />
      )}
    </>
  )
}

interface DropAreaProps {
  readonly take: (file: File) => void
  readonly children: ComponentChildren
}

/** A file may be dropped anywhere on the page. */
function DropArea({ take, children }: DropAreaProps) {
  const { isOver, dropHandlers } = useFileDrop(([file]) => {
    if (file) take(file)
  })
  return (
    <div class={classNames(styles.scroll, isOver && styles.isOver)} {...dropHandlers}>
      <div class={styles.page}>{children}</div>
    </div>
  )
}

interface FileChoiceProps extends Pick<DropAreaProps, 'take'> {
  /** False if going on with another file stands first. */
  readonly isMain: boolean
}

function FileChoice({ take, isMain }: FileChoiceProps) {
  const texts = useImportTexts()
  return (
    <div class={styles.drop}>
      <label class={classNames(buttonStyles.button, isMain && buttonStyles['main'], styles.choose)}>
        <Icon name="upload" />
        {texts.file.choose}
        <input
          type="file"
          class={text.hidden}
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
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

/** Takes what is pasted outside of fields: a file, or the rows of a spreadsheet. */
function usePaste(takeFile: (file: File) => void, takeText: (text: string) => void): void {
  const latest = useRef({ takeFile, takeText })
  latest.current = { takeFile, takeText }
  useEffect(() => {
    const paste = ({ clipboardData, target }: ClipboardEvent) => {
      if (target instanceof HTMLElement && target.closest('input, textarea')) return
      // Spreadsheets also copy a picture of the cells.
      const file = [...(clipboardData?.files ?? [])].find(({ type }) => !type.startsWith('image/'))
      const content = clipboardData?.getData('text/plain') ?? ''
      if (file) latest.current.takeFile(file)
      else if (content.trim() !== '') latest.current.takeText(content)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}

function explainSheetError(error: SheetError, { file }: ImportTexts): string {
  return 'row' in error ? file[error.code](error.row) : file.errors[error.code]
}
