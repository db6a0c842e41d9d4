import type { Import } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import { ReadingForm } from '../reading/reading-form.tsx'
import { Progress } from '../steps/progress.tsx'
import { StepHeading } from '../steps/step-heading.tsx'
import { useImportTexts } from '../texts/texts.ts'
import { DropArea, FileChoice } from './drop-area.tsx'
import { formatBytes } from './format-bytes.ts'
import { isSending, stopSending } from './uploads.ts'
import { useSending } from './use-sending.ts'

interface ArrivalStepProps {
  readonly opened: Import
}

/** The file on its way: sent, read, or not readable. */
export function ArrivalStep({ opened }: ArrivalStepProps) {
  if (opened.state === 'unreadable') return <Unreadable opened={opened} />
  if (opened.state === 'reading') return <Reading opened={opened} />
  return isSending(opened.id) ? <Sending opened={opened} /> : <Stopped opened={opened} />
}

function Sending({ opened }: ArrivalStepProps) {
  const { texts: shared } = useConsole()
  const { file } = useImportTexts()
  const bytes = (count: number) => formatBytes(count, shared.language)
  return (
    <div class={styles.scroll}>
      <div class={styles.page}>
        <StepHeading>{file.sending(opened.name)}</StepHeading>
        <Progress label={file.sending(opened.name)} done={opened.received} total={opened.size}>
          {file.sent(bytes(opened.received), bytes(opened.size))}
        </Progress>
        <p class={text.soft}>{file.sendingText}</p>
        <DiscardButton opened={opened} label={file.discard} />
      </div>
    </div>
  )
}

function Reading({ opened }: ArrivalStepProps) {
  const { formatNumber } = useConsole()
  const texts = useImportTexts()
  const { file } = texts
  return (
    <div class={styles.scroll}>
      <div class={styles.page}>
        <StepHeading>{file.reading(opened.name)}</StepHeading>
        <Progress label={file.reading(opened.name)} done={opened.done} total={null}>
          {opened.done > 0 && texts.rows(opened.done)}
          <span class={text.hidden}>{formatNumber(opened.done)}</span>
        </Progress>
        <p class={text.soft}>{file.readingText}</p>
      </div>
    </div>
  )
}

/** Takes the same file again, and sends what is missing of it. */
function Stopped({ opened }: ArrivalStepProps) {
  const { file: texts } = useImportTexts()
  const send = useSending()
  const [isOther, setIsOther] = useState(false)
  const take = (file: File) => {
    const isSame = file.size === opened.size && file.name === opened.name
    setIsOther(!isSame)
    if (isSame) send(opened, file)
  }
  return (
    <DropArea take={take}>
      <StepHeading>{texts.stopped(opened.name)}</StepHeading>
      <p class={text.soft}>{texts.stoppedText}</p>
      <FileChoice take={take} />
      {isOther && (
        <div role="alert">
          <FieldError>{texts.otherFile(opened.name)}</FieldError>
        </div>
      )}
      <DiscardButton opened={opened} label={texts.discard} />
    </DropArea>
  )
}

function Unreadable({ opened }: ArrivalStepProps) {
  const texts = useImportTexts()
  return (
    <div class={styles.scroll}>
      <div class={styles.page}>
        <StepHeading>{texts.file.unreadable(opened.name)}</StepHeading>
        {opened.problem && <Notice kind="error">{texts.explainProblem(opened.problem)}</Notice>}
        <ReadingForm opened={opened} />
        <DiscardButton opened={opened} label={texts.file.other} />
      </div>
    </div>
  )
}

interface DiscardButtonProps extends ArrivalStepProps {
  readonly label: string
}

/** Deletes the import, and leads to another file. */
function DiscardButton({ opened, label }: DiscardButtonProps) {
  const { crm } = useConsole()
  const [, navigate] = useLocation()
  const discard = () => {
    stopSending(opened.id)
    navigate('/import')
    // What is left of it is in the list, where it can be opened again.
    void crm.imports.delete(opened.id).catch(() => {})
  }
  return (
    <p>
      <Button look="quiet" onClick={discard}>
        {label}
      </Button>
    </p>
  )
}
