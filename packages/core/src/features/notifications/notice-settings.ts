import type { Member } from '../../schema/member.ts'
import { NOTICE_KINDS, type NoticeChannels, type NoticeKind } from '../../schema/notification.ts'

const DEFAULT_CHANNELS: NoticeChannels = { app: true, mail: false }

/** How the member learns of a kind. */
export function channelsOf({ notices }: Pick<Member, 'notices'>, kind: NoticeKind): NoticeChannels {
  return notices[kind] ?? DEFAULT_CHANNELS
}

/** How the member learns of each kind. */
export function listChannels(member: Pick<Member, 'notices'>): Readonly<Record<NoticeKind, NoticeChannels>> {
  return Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, channelsOf(member, kind)])) as Record<
    NoticeKind,
    NoticeChannels
  >
}

/** The language of mails to the member: its own, or that of the workspace. */
export function languageOf({ language }: Pick<Member, 'language'>, locale: string | undefined): string {
  return language ?? (/^pt\b/i.test(locale ?? '') ? 'pt-BR' : 'en')
}
