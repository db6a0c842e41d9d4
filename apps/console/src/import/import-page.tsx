import type { Import } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useLocation, useSearch } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { usePageTitle } from '../shell/page-parts.tsx'
import { classNames } from '../ui/class-names.ts'
import { Field, FieldError, Select, Textarea } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import text from '../ui/text.module.css'
import { canImport, IMPORT_KINDS, type ImportKind } from './can-import.ts'
import styles from './import.module.css'
import { useImport } from './queries.ts'
import { StepBar } from './steps/step-bar.tsx'
import { StepFoot } from './steps/step-foot.tsx'
import { StepHeading } from './steps/step-heading.tsx'
import { useImportTexts } from './texts/texts.ts'
import { DropArea, FileChoice } from './upload/drop-area.tsx'
import own from './upload/upload.module.css'
import { usePaste } from './upload/use-paste.ts'
import { useSending } from './upload/use-sending.ts'

const MAX_BYTES = 512 * 1_000_000

/** Takes a file that is chosen or dropped, or rows that are pasted, and begins an import with it. */
export function ImportPage() {
  const { me } = useConsole()
  const texts = useImportTexts()
  usePageTitle(texts.importFile)
  return (
    <>
      <StepBar step="file" />
      {canImport(me) ? <FileStep /> : <p class={styles.message}>{texts.forbidden}</p>}
    </>
  )
}

function FileStep() {
  const texts = useImportTexts()
  const params = new URLSearchParams(useSearch())
  const [kind, setKind] = useState(IMPORT_KINDS.find((each) => each === params.get('kind')))
  const [pasted, setPasted] = useState('')
  const like = params.get('like')
  const { begin, error, isBusy } = useBeginning(kind, like)
  const takeText = (content: string) => {
    const extension = content.includes('\t') ? 'tsv' : 'csv'
    begin(new File([content], `${texts.file.pastedName}.${extension}`))
  }
  usePaste(begin, takeText)
  return (
    <>
      <DropArea take={begin}>
        <StepHeading takesFocus={false}>{texts.file.title}</StepHeading>
        <p class={text.soft}>{texts.file.lead}</p>
        {like !== null && <LikeNotice id={like} />}
        <div aria-busy={isBusy}>
          <FileChoice take={begin} />
        </div>
        {error !== undefined && (
          <div role="alert">
            <FieldError>{error}</FieldError>
          </div>
        )}
        {like === null && <KindChoice kind={kind} choose={setKind} />}
        <Field label={texts.file.paste}>
          {(ids) => <Textarea {...ids} class={own.paste} rows={4} value={pasted} change={setPasted} />}
        </Field>
        <p class={classNames(text.soft, text.small)}>{texts.file.limits}</p>
      </DropArea>
      {pasted.trim() !== '' && (
        <StepFoot next={{ label: texts.file.usePasted, isReady: !isBusy, run: () => takeText(pasted) }} />
      )}
    </>
  )
}

function LikeNotice({ id }: { readonly id: string }) {
  const { file } = useImportTexts()
  const { data } = useImport(id)
  return data ? <Notice>{file.likeBefore(data.name)}</Notice> : null
}

interface KindChoiceProps {
  readonly kind: ImportKind | undefined
  readonly choose: (kind: ImportKind | undefined) => void
}

/** The kind of the rows, which the names of the columns say by default. */
function KindChoice({ kind, choose }: KindChoiceProps) {
  const { file, kind: names } = useImportTexts()
  return (
    <div class={styles.short}>
      <Field label={file.kind}>
        {(ids) => (
          <Select {...ids} value={kind ?? ''} change={(value) => choose((value || undefined) as ImportKind)}>
            <option value="">{file.kindFound}</option>
            {IMPORT_KINDS.map((each) => (
              <option key={each} value={each}>
                {names[each]}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  )
}

/** Begins an import with a file, and leads to its page. */
function useBeginning(kind: ImportKind | undefined, like: string | null) {
  const { crm, texts: shared } = useConsole()
  const { file: texts } = useImportTexts()
  const [, navigate] = useLocation()
  const send = useSending()
  const [error, setError] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const begin = (file: File) => {
    if (isBusy) return
    if (file.size === 0) return setError(texts.empty)
    if (file.size > MAX_BYTES) return setError(texts.tooLarge)
    setIsBusy(true)
    const follow = (begun: Import) => {
      send(begun, file)
      navigate(`/imports/${begun.id}${like === null ? '' : `?like=${like}`}`)
    }
    crm.imports
      .create({ name: file.name, size: file.size, kind })
      .then(follow, (reason: unknown) => setError(explainError(reason, shared)))
      .finally(() => setIsBusy(false))
  }
  return { begin, error, isBusy }
}
