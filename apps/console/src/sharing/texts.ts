import { useConsole } from '../app/console-context.ts'
import { createPlural } from '../texts/plural.ts'

const plural = createPlural('en')
const pluralPt = createPlural('pt-BR')

const en = {
  share: 'Share',
  whoSees: (name: string) => `Who sees “${name}”`,
  seeIt: (count: number) => plural(count, '# sees it', '# see it'),
  with: 'Share with a member or team',
  noneFound: 'No member or team of that name',
  clear: 'Choose another one',
  may: 'They may',
  access: { read: 'Can read', write: 'Can change' },
  accessOf: (name: string) => `What ${name} may do`,
  end: (name: string) => `End sharing with ${name}`,
  shared: 'Shared',
  notShared: 'It is shared with nobody yet.',
  byRules: (workspace: string) => `By the rules of ${workspace}`,
  hint: 'Whoever sees it sees its notes and files. For all others it is not there.',
  noEffect: 'Now everyone sees it. A share takes effect once that changes.',
  sharedWith: (name: string) => `Shared with ${name}.`,
  changed: (name: string, access: string) => `${name}: ${access}.`,
  ended: (name: string) => `${name} has it no longer by a share.`,
  team: (count: number) => plural(count, 'team of # member', 'team of # members'),
  sees: 'sees it now',
  done: 'Done',
  shareAndClose: 'Share and close',
  nobody: 'Somebody who has left',
  reasons: {
    owner: 'owns it',
    workspace_owner: 'owns the workspace',
    admin: 'is an admin',
    lead: (team: string) => (team ? `leads ${team}, the owner’s team` : 'leads a team of the owner'),
    team: (team: string) => (team ? `is in ${team}, the owner’s team` : 'is in a team of the owner'),
    share: 'by a share',
    linked_record: 'owns what the task is linked to',
    everyone: 'sees all of these records',
    unowned: 'nobody owns it',
  },
}

export type SharingTexts = typeof en

const ptBr: SharingTexts = {
  share: 'Compartilhar',
  whoSees: (name) => `Quem vê “${name}”`,
  seeIt: (count) => pluralPt(count, '# vê', '# veem'),
  with: 'Compartilhar com um membro ou uma equipe',
  noneFound: 'Nenhum membro ou equipe com esse nome',
  clear: 'Escolher outro',
  may: 'Permissão',
  access: { read: 'Pode ler', write: 'Pode alterar' },
  accessOf: (name) => `O que ${name} pode fazer`,
  end: (name) => `Parar de compartilhar com ${name}`,
  shared: 'Compartilhado',
  notShared: 'Ainda não é compartilhado com ninguém.',
  byRules: (workspace) => `Pelas regras de ${workspace}`,
  hint: 'Quem vê o registro vê suas notas e arquivos. Para os outros ele não existe.',
  noEffect: 'Agora todos veem. O compartilhamento passa a valer quando isso mudar.',
  sharedWith: (name) => `Compartilhado com ${name}.`,
  changed: (name, access) => `${name}: ${access}.`,
  ended: (name) => `Não é mais compartilhado com ${name}.`,
  team: (count) => pluralPt(count, 'equipe de # membro', 'equipe de # membros'),
  sees: 'já vê',
  done: 'Pronto',
  shareAndClose: 'Compartilhar e fechar',
  nobody: 'Alguém que saiu',
  reasons: {
    owner: 'é responsável',
    workspace_owner: 'é proprietário do espaço',
    admin: 'é administrador',
    lead: (team) => (team ? `lidera ${team}, equipe do responsável` : 'lidera uma equipe do responsável'),
    team: (team) => (team ? `é de ${team}, equipe do responsável` : 'é de uma equipe do responsável'),
    share: 'por compartilhamento',
    linked_record: 'é responsável pelo registro ligado à tarefa',
    everyone: 'vê todos estes registros',
    unowned: 'ninguém é responsável',
  },
}

export function useSharingTexts(): SharingTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}

/** Says why a member sees a record. `nameOf` names teams. */
export function describeReason(
  { reason, team_id }: { readonly reason: keyof SharingTexts['reasons']; readonly team_id: string | null },
  { reasons }: SharingTexts,
  nameOf: (teamId: string) => string | undefined,
): string {
  const text = reasons[reason]
  return typeof text === 'string' ? text : text((team_id !== null && nameOf(team_id)) || '')
}
