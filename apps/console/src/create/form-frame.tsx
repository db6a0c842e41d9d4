import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { Button } from '../ui/button.tsx'
import { DialogActions } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import styles from './form-frame.module.css'
import type { useCreateForm } from './use-create-form.ts'

interface FormFrameProps {
  readonly form: ReturnType<typeof useCreateForm>
  readonly submit: () => void
  readonly submitLabel: string
  /** Undefined for a form that is part of a page. */
  readonly cancel: (() => void) | undefined
  readonly children: ComponentChildren
}

/** A form with its errors and buttons. Ctrl and Enter send it; after a refusal, the first invalid field has the focus. */
export function FormFrame({ form, submit, submitLabel, cancel, children }: FormFrameProps) {
  const { texts } = useConsole()
  const element = useRef<HTMLFormElement>(null)
  // Since it was sent: a refusal does not take the focus from what is typed meanwhile.
  const isInUse = useRef(false)
  const use = () => {
    isInUse.current = true
  }
  function send(): void {
    isInUse.current = false
    submit()
  }
  useEffect(() => {
    if (!isInUse.current) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form.errors])
  return (
    <form
      ref={element}
      class={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === 'Enter' && send()}
      onInput={use}
      onFocusIn={use}
    >
      {form.error && <Notice kind="error">{form.error}</Notice>}
      {children}
      <DialogActions>
        {cancel && <Button onClick={cancel}>{texts.actions.cancel}</Button>}
        <Button look="main" type="submit" aria-busy={form.isBusy}>
          {form.isBusy ? texts.actions.saving : submitLabel}
        </Button>
      </DialogActions>
    </form>
  )
}
