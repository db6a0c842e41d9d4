import type { EventName, NoticeKind } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { createPlural } from '../texts/plural.ts'

const plural = createPlural('en')
const pluralPt = createPlural('pt-BR')

const en = {
  title: 'Notifications',
  unread: (count: number) => plural(count, '# unread', '# unread'),
  readAll: 'Mark all read',
  choose: 'What reaches you',
  back: 'Back to the notifications',
  none: 'Nothing yet. Mentions, reminders and changes of what you follow come here.',
  more: 'Load more',
  failed: 'The notifications could not be loaded.',
  markRead: 'Mark as read',
  markUnread: 'Mark as unread',
  isUnread: 'Unread',
  somebody: 'Somebody',
  hidden: 'a record that you do not see any more',
  changes: (count: number) => plural(count, '# change', '# changes'),
  what: {
    mention: (title: string, actor: string) => `${actor} mentioned you on ${title}`,
    reminder: (title: string) => `Reminder: ${title}`,
    task_due: (title: string) => `Due today: ${title}`,
    task_overdue: (title: string) => `Overdue: ${title}`,
    change: (title: string, actor: string) => `${actor} changed ${title}`,
  } satisfies Record<NoticeKind, (title: string, actor: string) => string> as Record<
    NoticeKind,
    (title: string, actor: string) => string
  >,
  events: {
    'activity.created': (title: string, actor: string) => `${actor} wrote a note on ${title}`,
    'deal.stage_changed': (title: string, actor: string) => `${actor} moved ${title}`,
    'deal.won': (title: string, actor: string) => `${actor} won ${title}`,
    'deal.lost': (title: string, actor: string) => `${actor} marked ${title} as lost`,
    'task.completed': (title: string, actor: string) => `${actor} completed ${title}`,
    'person.deleted': (_: string, actor: string) => `${actor} deleted a person that you followed`,
    'company.deleted': (_: string, actor: string) => `${actor} deleted a company that you followed`,
    'deal.deleted': (_: string, actor: string) => `${actor} deleted a deal that you followed`,
    'task.deleted': (_: string, actor: string) => `${actor} deleted a task that you followed`,
  } as Partial<Record<EventName, (title: string, actor: string) => string>>,
  when: 'When',
  inApp: 'In the app',
  byMail: 'By mail',
  kinds: {
    mention: 'Somebody mentions me',
    reminder: 'A task reminds me',
    change: 'What I follow changes',
    task_due: 'A task is due today',
    task_overdue: 'A task is overdue',
  } as Record<NoticeKind, string>,
  daily: 'My tasks, once a day by mail',
  dailyHint: 'Due and overdue ones, in the time zone of the workspace. Empty for never.',
  language: 'Language of mails',
  ofWorkspace: 'That of the workspace',
  calendar: {
    title: 'Calendar',
    hint: 'Your open tasks in another calendar, by an address that is shown once. A new one ends the one before.',
    address: 'Address of the calendar',
    create: 'Make an address',
    remove: 'End the address',
    removed: 'The calendar has no address any more.',
  },
  saved: 'Saved.',
  follow: 'Follow',
  following: 'Following',
  unfollow: 'Stop following',
  nowFollowing: 'You learn of changes by others.',
  noLonger: 'You do not follow it any more.',
}

export type NotificationTexts = typeof en

const ptBr: NotificationTexts = {
  title: 'Notificações',
  unread: (count) => pluralPt(count, '# não lida', '# não lidas'),
  readAll: 'Marcar todas como lidas',
  choose: 'O que chega a você',
  back: 'Voltar às notificações',
  none: 'Nada ainda. Menções, lembretes e mudanças do que você segue aparecem aqui.',
  more: 'Carregar mais',
  failed: 'Não foi possível carregar as notificações.',
  markRead: 'Marcar como lida',
  markUnread: 'Marcar como não lida',
  isUnread: 'Não lida',
  somebody: 'Alguém',
  hidden: 'um registro que você não vê mais',
  changes: (count) => pluralPt(count, '# mudança', '# mudanças'),
  what: {
    mention: (title, actor) => `${actor} mencionou você em ${title}`,
    reminder: (title) => `Lembrete: ${title}`,
    task_due: (title) => `Para hoje: ${title}`,
    task_overdue: (title) => `Atrasada: ${title}`,
    change: (title, actor) => `${actor} alterou ${title}`,
  },
  events: {
    'activity.created': (title, actor) => `${actor} escreveu uma nota em ${title}`,
    'deal.stage_changed': (title, actor) => `${actor} moveu ${title}`,
    'deal.won': (title, actor) => `${actor} ganhou ${title}`,
    'deal.lost': (title, actor) => `${actor} marcou ${title} como perdido`,
    'task.completed': (title, actor) => `${actor} concluiu ${title}`,
    'person.deleted': (_, actor) => `${actor} excluiu uma pessoa que você seguia`,
    'company.deleted': (_, actor) => `${actor} excluiu uma empresa que você seguia`,
    'deal.deleted': (_, actor) => `${actor} excluiu um negócio que você seguia`,
    'task.deleted': (_, actor) => `${actor} excluiu uma tarefa que você seguia`,
  },
  when: 'Quando',
  inApp: 'No aplicativo',
  byMail: 'Por e‑mail',
  kinds: {
    mention: 'Alguém me menciona',
    reminder: 'Uma tarefa me lembra',
    change: 'O que eu sigo muda',
    task_due: 'Uma tarefa vence hoje',
    task_overdue: 'Uma tarefa está atrasada',
  },
  daily: 'Minhas tarefas, uma vez por dia por e‑mail',
  dailyHint: 'As que vencem e as atrasadas, no fuso do espaço de trabalho. Vazio para nunca.',
  language: 'Idioma dos e‑mails',
  ofWorkspace: 'O do espaço de trabalho',
  calendar: {
    title: 'Calendário',
    hint: 'Suas tarefas abertas em outro calendário, por um endereço mostrado uma vez. Um novo encerra o anterior.',
    address: 'Endereço do calendário',
    create: 'Criar um endereço',
    remove: 'Encerrar o endereço',
    removed: 'O calendário não tem mais endereço.',
  },
  saved: 'Salvo.',
  follow: 'Seguir',
  following: 'Seguindo',
  unfollow: 'Deixar de seguir',
  nowFollowing: 'Você fica sabendo das mudanças dos outros.',
  noLonger: 'Você não segue mais.',
}

export function useNotificationTexts(): NotificationTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
