import { useConsole } from '../../app/console-context.ts'
import { createPlural } from '../../texts/plural.ts'

const plural = createPlural('en')
const pluralPt = createPlural('pt-BR')

const en = {
  lead: 'Owners and admins change everything. Members change the records that are theirs or nobody’s, those that are shared with them to change, and, as leads where not everyone sees all, those of their team.',
  roles: { owner: 'Owner', admin: 'Admin', member: 'Member' },
  may: {
    owner: 'Everything, and the workspace itself',
    admin: 'Every record, the settings and the members',
    member: 'Records that are theirs, nobody’s, or shared to change',
  },
  you: 'you',
  more: (name: string) => `More about ${name}`,
  roleOf: (name: string, role: string) => `Role of ${name}: ${role}. Change`,
  roleChanged: (name: string, role: string) => `${name}: ${role}.`,
  demoted: (name: string, role: string) =>
    `${name}: ${role}. Invitations and webhooks beyond that role ended.`,
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: (name: string) =>
    `${name} loses access at once, and so do the apps they let in. Notes keep their author.`,
  leavesWithoutLead: (teams: readonly string[]) =>
    `Nobody leads ${teams.join(', ')} then: choose another lead in Teams, visibility.`,
  owns: (name: string, records: string) => `${name} owns ${records}.`,
  handOverTo: 'Hand all of it over to',
  choose: 'Choose',
  nobody: 'Nobody',
  noSuccessor: 'Choose who takes it over, or nobody.',
  handingOver: (from: string, to: string, done: number, total: number | null) =>
    `Handing over from ${from} to ${to}: ${done} of ${total ?? '…'}.`,
  handedOver: (from: string, to: string, count: number) =>
    `${to} took over ${plural(count, '# record', '# records')} from ${from}.`,
  notHandedOver: (count: number) => `${plural(count, '# was', '# were')} refused by a rule of this service.`,
  removed: (name: string) => `${name} was removed.`,
  leave: 'Leave the workspace',
  leaveTitle: 'Leave the workspace?',
  leaveText: 'You lose access at once, and so do the apps you let in. Notes keep their author.',
  inviteTitle: 'Invite members',
  emails: 'E-mails',
  emailsHint: 'One or several. A pasted list is split.',
  role: 'Role',
  invite: (count: number) => (count < 2 ? 'Invite' : plural(count, 'Invite #', 'Invite #')),
  invited: (count: number) => plural(count, '# person is invited.', '# people are invited.'),
  refused: (email: string, reason: string) => `${email}: ${reason}`,
  isMember: 'Is a member already.',
  noEmail: 'Is not an e-mail address.',
  noAddress: 'Write an e-mail address.',
  tooMany: (max: number) => `At most ${max} at once.`,
  invitations: 'Open invitations',
  noInvitations: 'None are open.',
  until: (time: string) => `good until ${time}`,
  renew: 'Renew',
  renewFor: (email: string) => `Renew the invitation of ${email}`,
  renewed: (email: string) => `The invitation of ${email} is good for seven more days.`,
  withdraw: 'Withdraw',
  withdrawFor: (email: string) => `Withdraw the invitation of ${email}`,
  withdrawn: (email: string) => `The invitation of ${email} was withdrawn.`,
  linksTitle: (count: number) => plural(count, 'The link', 'The links'),
  linksText:
    'This service has no mail server: pass each link on yourself. It is shown now and never again, is good for seven days, and lets in who opens it.',
}

export type MembersTexts = typeof en

const ptBr: MembersTexts = {
  lead: 'Proprietários e administradores alteram tudo. Membros alteram os registros que são seus ou de ninguém, os compartilhados com eles para alterar e, quando lideram e nem todos veem tudo, os da sua equipe.',
  roles: { owner: 'Proprietário', admin: 'Administrador', member: 'Membro' },
  may: {
    owner: 'Tudo, e o próprio espaço de trabalho',
    admin: 'Todos os registros, as configurações e os membros',
    member: 'Registros que são seus, de ninguém ou compartilhados para alterar',
  },
  you: 'você',
  more: (name) => `Mais sobre ${name}`,
  roleOf: (name, role) => `Função de ${name}: ${role}. Alterar`,
  roleChanged: (name, role) => `${name}: ${role}.`,
  demoted: (name, role) => `${name}: ${role}. Convites e webhooks além dessa função acabaram.`,
  remove: 'Remover',
  removeTitle: (name) => `Remover ${name}?`,
  removeText: (name) =>
    `${name} perde o acesso na hora, assim como os aplicativos que permitiu. As notas mantêm o autor.`,
  leavesWithoutLead: (teams) =>
    `Ninguém mais lidera ${teams.join(', ')}: escolha outra pessoa em Equipes, visibilidade.`,
  owns: (name, records) => `${name} é responsável por ${records}.`,
  handOverTo: 'Passar tudo para',
  choose: 'Escolha',
  nobody: 'Ninguém',
  noSuccessor: 'Escolha quem assume, ou ninguém.',
  handingOver: (from, to, done, total) => `Passando de ${from} para ${to}: ${done} de ${total ?? '…'}.`,
  handedOver: (from, to, count) =>
    `${to} assumiu ${pluralPt(count, '# registro', '# registros')} de ${from}.`,
  notHandedOver: (count) =>
    `${pluralPt(count, '# foi recusado', '# foram recusados')} por uma regra deste serviço.`,
  removed: (name) => `${name} não participa mais.`,
  leave: 'Sair do espaço de trabalho',
  leaveTitle: 'Sair do espaço de trabalho?',
  leaveText: 'Você perde o acesso na hora, assim como os aplicativos que permitiu. As notas mantêm o autor.',
  inviteTitle: 'Convidar membros',
  emails: 'E-mails',
  emailsHint: 'Um ou vários. Uma lista colada é separada.',
  role: 'Função',
  invite: (count) => (count < 2 ? 'Convidar' : pluralPt(count, 'Convidar #', 'Convidar #')),
  invited: (count) => pluralPt(count, '# pessoa foi convidada.', '# pessoas foram convidadas.'),
  refused: (email, reason) => `${email}: ${reason}`,
  isMember: 'Já é membro.',
  noEmail: 'Não é um endereço de e-mail.',
  noAddress: 'Escreva um e-mail.',
  tooMany: (max) => `No máximo ${max} por vez.`,
  invitations: 'Convites em aberto',
  noInvitations: 'Não há nenhum em aberto.',
  until: (time) => `válido até ${time}`,
  renew: 'Renovar',
  renewFor: (email) => `Renovar o convite de ${email}`,
  renewed: (email) => `O convite de ${email} vale por mais sete dias.`,
  withdraw: 'Cancelar',
  withdrawFor: (email) => `Cancelar o convite de ${email}`,
  withdrawn: (email) => `O convite de ${email} foi cancelado.`,
  linksTitle: (count) => pluralPt(count, 'O link', 'Os links'),
  linksText:
    'Este serviço não tem servidor de e-mail: entregue cada link você mesmo. Ele aparece agora e nunca mais, vale por sete dias e deixa entrar quem o abrir.',
}

export function useMembersTexts(): MembersTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
