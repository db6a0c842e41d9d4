import type { Role } from '../../kernel/role.ts'
import type { NoticeKind } from '../../schema/notification.ts'

/** The origin of a request, for mail and rate limits. */
export interface RequestOrigin {
  /** The caller's network address, as rate limits count it. */
  readonly address: string
  /** BCP 47 tag of the reader's presumed language: `en`, `pt-BR`. */
  readonly language: string
  /** False if the rate limits on app registration are switched off. */
  readonly isRateLimited?: boolean
}

interface MailEnvelope {
  readonly to: string
  readonly language: string
}

interface AppMail extends MailEnvelope {
  readonly app_name: string
  readonly client_id: string
  /** Link to the page that shows the app's secret once. Valid for 15 minutes. */
  readonly link: string
  /** Network address of the request. */
  readonly address: string
}

/** The content of a mail. The sender composes the text. */
export type OutgoingMail =
  | (AppMail & { readonly kind: 'app_registered' })
  | (AppMail & { readonly kind: 'app_rotated' })
  | (MailEnvelope & {
      readonly kind: 'invitation'
      readonly workspace_name: string
      readonly inviter_name: string
      readonly role: Role
      /** Valid for seven days. */
      readonly link: string
    })
  /** The link is valid for 30 minutes. */
  | (MailEnvelope & {
      readonly kind: 'password_reset'
      readonly name: string
      readonly link: string
      readonly address: string
    })
  | (MailEnvelope & { readonly kind: 'password_changed'; readonly name: string; readonly address: string })
  /** Sent once when attempts to sign in begin to be delayed. */
  | (MailEnvelope & { readonly kind: 'sign_in_attempts'; readonly name: string; readonly address: string })
  /** A notification. `actor_name` is null for reminders. */
  | (MailEnvelope & {
      readonly kind: 'notice'
      readonly notice: NoticeKind
      readonly actor_name: string | null
      readonly title: string
      readonly link: string
    })
  /** The titles of open tasks, the longest due first, and the number of those left out. */
  | (MailEnvelope & {
      readonly kind: 'tasks_of_day'
      readonly workspace_name: string
      /** `2026-03-01`. */
      readonly day: string
      readonly due: readonly string[]
      readonly overdue: readonly string[]
      readonly others: number
      readonly link: string
    })
