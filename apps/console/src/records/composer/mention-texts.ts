import { findMentions, MAX_MENTIONS } from '@sales-crm/core/browser'
import { useConsole } from '../../app/console-context.ts'
import { ISSUER } from '../../session/page-settings.ts'

const en = {
  mention: 'Mention',
  choose: 'choose',
  take: 'mention',
  keepText: 'keep as text',
  seesNot: 'does not see this record',
  tooMany: `A note mentions at most ${MAX_MENTIONS} members.`,
}

type Words = typeof en

const ptBr: Words = {
  mention: 'Mencionar',
  choose: 'escolher',
  take: 'mencionar',
  keepText: 'manter como texto',
  seesNot: 'não vê este registro',
  tooMany: `Uma nota menciona no máximo ${MAX_MENTIONS} membros.`,
}

export interface MentionTexts extends Words {
  /** What is wrong with the mentions of a note. */
  findMentionError(html: string): string | undefined
}

export function useMentionTexts(): MentionTexts {
  const words = useConsole().texts.language === 'pt-BR' ? ptBr : en
  return {
    ...words,
    findMentionError: (html) =>
      findMentions(html, ISSUER).length > MAX_MENTIONS ? words.tooMany : undefined,
  }
}
