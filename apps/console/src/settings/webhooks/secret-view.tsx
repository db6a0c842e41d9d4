import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import text from '../../ui/text.module.css'
import { CopyField } from '../frame/copy-field.tsx'
import { useWebhookTexts } from './texts.ts'

interface SecretViewProps {
  readonly secret: string
  readonly close: () => void
}

/** Shows a secret that cannot be read again. */
export function SecretView({ secret, close }: SecretViewProps) {
  const texts = useWebhookTexts()
  return (
    <>
      <p class={text.soft}>{texts.secretText}</p>
      <CopyField autoFocus label={texts.secret} value={secret} />
      <DialogActions>
        <Button onClick={close}>{texts.secretDone}</Button>
      </DialogActions>
    </>
  )
}
