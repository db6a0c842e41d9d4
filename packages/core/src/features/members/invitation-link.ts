import { createOpaqueToken } from '../../engine/opaque-token.ts'
import { addSeconds, DAY } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Invitation } from '../../schema/invitation.ts'
import type { User } from '../../schema/user.ts'
import { enqueueMail } from '../mail/mail-queue.ts'
import { INVITATION_PREFIX } from './invitation.ts'

const LIFETIME_SECONDS = 7 * DAY

/** The token of an invitation, and what the invitation stores of it. */
export function issueToken(
  { random, secrets, now, deliversMail = true }: Ports,
  id: string,
): Pick<Invitation, 'is_mailed' | 'token_hash' | 'expires_at'> & { readonly token: string } {
  const token = createOpaqueToken(INVITATION_PREFIX, [id], random)
  const expires_at = addSeconds(now(), LIFETIME_SECONDS)
  return { token, is_mailed: deliversMail, token_hash: secrets.hash(token), expires_at }
}

interface UndeliveredInvitation {
  readonly invitation: Invitation
  readonly user: User
  readonly token: string
}

/** Mails the link, or returns it where no mail server is set. */
export async function deliverLink(
  tx: Transaction,
  ports: Ports,
  { invitation, user, token }: UndeliveredInvitation,
  language: string,
): Promise<string | undefined> {
  const link = `${ports.issuer}/invitations/${token}`
  if (!invitation.is_mailed) return link
  const [workspace, inviter] = await Promise.all([
    tx.workspaces.get(invitation.workspace_id),
    tx.users.get(invitation.invited_by),
  ])
  const mail = {
    kind: 'invitation' as const,
    to: user.email,
    language,
    inviter_name: inviter?.name ?? '',
    workspace_name: workspace?.name ?? '',
    role: invitation.role,
    link,
  }
  await enqueueMail(tx, ports, mail, { at: invitation.updated_at, expires_at: invitation.expires_at })
  return undefined
}
