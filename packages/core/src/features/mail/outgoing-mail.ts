import type { Role } from '../../kernel/role.ts'

/** Who caused something, as far as letters and limits are concerned. */
export interface RequestOrigin {
  /** The caller's network address, as limits count it. */
  readonly address: string
  /** A BCP 47 tag of the language the reader is thought to want: `en`, `pt-BR`. */
  readonly language: string
  /** False where limits on registering apps are switched off. */
  readonly isRateLimited?: boolean
}

interface MailEnvelope {
  readonly to: string
  readonly language: string
}

interface AppMail extends MailEnvelope {
  readonly app_name: string
  readonly client_id: string
  /** Where its secret is shown, once, within 15 minutes. */
  readonly link: string
  /** The address the request came from. */
  readonly address: string
}

/** What is mailed. The words are up to whoever sends it. */
export type OutgoingMail =
  | (AppMail & { readonly kind: 'app_registered' })
  | (AppMail & { readonly kind: 'app_rotated' })
  | (MailEnvelope & {
      readonly kind: 'invitation'
      readonly workspace_name: string
      readonly inviter_name: string
      readonly role: Role
      /** Good for seven days. */
      readonly link: string
    })
  /** The link is good for 30 minutes. */
  | (MailEnvelope & {
      readonly kind: 'password_reset'
      readonly name: string
      readonly link: string
      readonly address: string
    })
  | (MailEnvelope & { readonly kind: 'password_changed'; readonly name: string; readonly address: string })
