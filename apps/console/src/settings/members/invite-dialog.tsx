import { CrmApiError } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { explainError } from '../../cache/explain-error.ts'
import { FormFrame } from '../../create/form-frame.tsx'
import { useCreateForm } from '../../create/use-create-form.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select, Textarea } from '../../ui/field.tsx'
import { showDone } from '../../ui/toasts.tsx'
import { type InvitationLink, LinksDialog } from './links-dialog.tsx'
import { listInvitableRoles, type Role, splitAddresses } from './member-rules.ts'
import { useMembersTexts } from './texts.ts'

/** At most as many as a workspace may invite in a day. */
const MAX_ADDRESSES = 100

interface InviteDialogProps {
  /** The text of the field at first. */
  readonly address?: string
  readonly close: () => void
}

/** Invites several people at once. Those that are refused stay in the dialog, each with its reason. */
export function InviteDialog({ address = '', close }: InviteDialogProps) {
  const { crm, me, texts: shared } = useConsole()
  const texts = useMembersTexts()
  const form = useCreateForm()
  const [typed, setTyped] = useState(address)
  const [role, setRole] = useState<Role>('member')
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const [links, setLinks] = useState<readonly InvitationLink[]>()
  const addresses = splitAddresses(typed)

  async function invite(): Promise<void> {
    const refused: string[] = []
    const reasons: string[] = []
    const made: InvitationLink[] = []
    let count = 0
    for (const email of addresses) {
      try {
        const { link } = await crm.members.invitations.create({ email, role })
        count += 1
        if (link !== undefined) made.push({ email, link })
      } catch (error) {
        refused.push(email)
        reasons.push(texts.refused(email, explainRefusal(error)))
      }
    }
    setTyped(refused.join('\n'))
    setRefusals(reasons)
    if (count > 0) showDone(texts.invited(count))
    if (made.length > 0) setLinks(made)
    else if (refused.length === 0) close()
  }
  function explainRefusal(error: unknown): string {
    if (error instanceof CrmApiError && error.status === 409) return texts.isMember
    if (error instanceof CrmApiError && error.fields['email'] !== undefined) return texts.noEmail
    return explainError(error, shared)
  }
  const findError = () => {
    if (addresses.length === 0) return texts.noAddress
    return addresses.length > MAX_ADDRESSES ? texts.tooMany(MAX_ADDRESSES) : undefined
  }

  if (links)
    return <LinksDialog links={links} close={() => (refusals.length === 0 ? close() : setLinks(undefined))} />
  return (
    <Dialog title={texts.inviteTitle} close={close}>
      <FormFrame
        form={form}
        cancel={close}
        submitLabel={texts.invite(addresses.length)}
        submit={() => form.submit(invite, { email: findError() })}
      >
        <Field
          label={texts.emails}
          hint={texts.emailsHint}
          error={form.errors['email'] ?? (refusals.length > 0 ? refusals.join(' ') : undefined)}
        >
          {(ids) => <Textarea {...ids} autoFocus rows={4} value={typed} change={setTyped} />}
        </Field>
        <Field label={texts.role} hint={texts.may[role]}>
          {(ids) => (
            <Select {...ids} value={role} change={(value) => setRole(value as Role)}>
              {listInvitableRoles(me).map((each) => (
                <option key={each} value={each}>
                  {texts.roles[each]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </FormFrame>
    </Dialog>
  )
}
