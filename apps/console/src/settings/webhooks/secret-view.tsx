import { useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { announce } from '../../ui/live-region.tsx'
import text from '../../ui/text.module.css'
import { useWebhookTexts } from './texts.ts'
import styles from './webhooks.module.css'

interface SecretViewProps {
  readonly secret: string
  readonly close: () => void
}

/** Shows a secret that cannot be read again. */
export function SecretView({ secret, close }: SecretViewProps) {
  const texts = useWebhookTexts()
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<'copied' | 'selected'>()

  async function copy(): Promise<void> {
    input.current?.select()
    try {
      await navigator.clipboard.writeText(secret)
      setState('copied')
      announce(texts.copied)
    } catch {
      // Without a secure connection, the browser has no clipboard for pages.
      setState('selected')
    }
  }

  return (
    <>
      <p class={text.soft}>{texts.secretText}</p>
      <div class={styles.secret}>
        <Field label={texts.secret} hint={state === 'selected' && texts.copyByKeys}>
          {(ids) => <Input {...ids} ref={input} class={styles.code} value={secret} change={() => {}} />}
        </Field>
        <Button look="main" autoFocus onClick={() => void copy()}>
          {state === 'copied' ? texts.copied : texts.copy}
        </Button>
      </div>
      <DialogActions>
        <Button onClick={close}>{texts.secretDone}</Button>
      </DialogActions>
    </>
  )
}
