import { useConsole } from '../../app/console-context.ts'

const en = {
  lead: 'Owners and admins change everything. Members change the records that are theirs or nobody’s.',
  roles: { owner: 'Owner', admin: 'Admin', member: 'Member' },
  you: 'you',
  manage: 'Invite and remove on the team page',
}

export type MembersTexts = typeof en

const ptBr: MembersTexts = {
  lead: 'Proprietários e administradores alteram tudo. Membros alteram os registros que são seus ou de ninguém.',
  roles: { owner: 'Proprietário', admin: 'Administrador', member: 'Membro' },
  you: 'você',
  manage: 'Convidar e remover na página da equipe',
}

export function useMembersTexts(): MembersTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
