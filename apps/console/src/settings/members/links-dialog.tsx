import { useConsole } from '../../app/console-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import text from '../../ui/text.module.css'
import { CopyField } from '../frame/copy-field.tsx'
import { useMembersTexts } from './texts.ts'

export interface InvitationLink {
  readonly email: string
  readonly link: string
}

interface LinksDialogProps {
  readonly links: readonly InvitationLink[]
  readonly close: () => void
}

/** Shows the links of invitations, which cannot be read again. */
export function LinksDialog({ links, close }: LinksDialogProps) {
  const { texts: shared } = useConsole()
  const texts = useMembersTexts()
  return (
    <Dialog title={texts.linksTitle(links.length)} close={close}>
      <p class={text.soft}>{texts.linksText}</p>
      {links.map(({ email, link }) => (
        <CopyField key={email} label={email} value={link} />
      ))}
      <DialogActions>
        <Button onClick={close}>{shared.actions.close}</Button>
      </DialogActions>
    </Dialog>
  )
}
