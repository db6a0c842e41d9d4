import { useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { announce } from '../../ui/live-region.tsx'
import { useSettingsTexts } from '../texts.ts'
import styles from './copy-field.module.css'

interface CopyFieldProps {
  readonly label: string
  readonly value: string
  readonly autoFocus?: boolean
}

/** A text to copy, such as a secret that cannot be read again. */
export function CopyField({ label, value, autoFocus = false }: CopyFieldProps) {
  const settings = useSettingsTexts()
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<'copied' | 'selected'>()

  async function copy(): Promise<void> {
    input.current?.select()
    try {
      await navigator.clipboard.writeText(value)
      setState('copied')
      announce(settings.copied)
    } catch {
      // Without a secure connection, the browser has no clipboard for pages.
      setState('selected')
    }
  }

  return (
    <div class={styles.field}>
      <Field label={label} hint={state === 'selected' && settings.copyByKeys}>
        {(ids) => <Input {...ids} ref={input} class={styles.code} value={value} change={() => {}} />}
      </Field>
      <Button look="main" autoFocus={autoFocus} onClick={() => void copy()}>
        {state === 'copied' ? settings.copied : settings.copy}
      </Button>
    </div>
  )
}
