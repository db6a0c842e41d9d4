import { useConsole } from '../../app/console-context.ts'
import { createPlural } from '../../texts/plural.ts'

const plural = createPlural('en')
const pluralPt = createPlural('pt-BR')

const en = {
  lead: 'What a member sees, by kind of record. Owners and admins see everything.',
  forOwners: (names: string) =>
    `What a member sees, by kind of record. Owners of the workspace change it: ${names}.`,
  kinds: { people: 'People', companies: 'Companies', deals: 'Deals', tasks: 'Tasks' },
  whoSees: (kind: string) => `Who sees ${kind.toLowerCase()}`,
  rules: { everyone: 'Everyone', team: 'Team', owner: 'Its owner' },
  means: {
    everyone: (kind: string) => `All members see all ${kind.toLowerCase()}.`,
    team: () => 'Members see their own, those of their teams, nobody’s, and what is shared with them.',
    owner: () =>
      'Members see their own, nobody’s, and what is shared with them. A lead sees those of the team.',
  },
  ofTasks:
    'The owner of the record that a task is linked to sees it, too. Others see a task by this rule, not by that of its record.',
  was: (rule: string) => `Until now: ${rule.toLowerCase()}.`,
  teamFirst: 'Make a team first.',
  follows: 'Notes, files and timelines follow their record. All see products, pipelines, tags and lists.',
  change: (kind: string, rule: string) => `${kind}: ${rule.toLowerCase()}`,
  saved: 'Saved. It holds from now on.',
  teams: 'Teams',
  addTeam: 'New team',
  noTeams: 'There are no teams. Make one to let members see the records of each other.',
  teamsHint:
    'Where not everyone sees all, a lead sees and changes what the team owns. Somebody may be on several teams.',
  leads: (names: string) => `Led by ${names}`,
  noLead: 'No lead',
  members: (count: number) => plural(count, '# member', '# members'),
  more: (name: string) => `Actions for the team ${name}`,
  edit: 'Edit',
  editTeam: (name: string) => `Edit ${name}`,
  name: 'Name',
  inTeam: 'On the team',
  leadsTeam: (name: string) => `${name} leads the team`,
  leadsIt: 'Leads',
  find: 'Find a member',
  deleteTeam: 'Delete',
  deleteText: (count: number) =>
    `${plural(count, 'Its member no longer sees', 'Its # members no longer see')} what they saw by this team, and what was shared with it. The members stay. This cannot be undone.`,
  example: 'For example',
  exampleOnceSaved: 'For example, once saved',
  kind: 'Kind',
  aRecord: { people: 'a person', companies: 'a company', deals: 'a deal', tasks: 'a task' },
  owner: 'Owner',
  of: (name: string) => `of ${name}`,
  ofNobody: 'of nobody',
  see: 'See it',
  doNotSee: 'Do not see it',
  all: 'Everybody sees it.',
  onTeams: (teams: string) => `on ${teams}`,
  onNoTeam: 'on no team',
  invented: 'These people are invented: a workspace with two members or more shows its own.',
  absent:
    'For them it is not there: in no list, sum, report or search. Its owner, a lead or an admin can share it with them.',
}

export type VisibilityTexts = typeof en

const ptBr: VisibilityTexts = {
  lead: 'O que um membro vê, por tipo de registro. Proprietários e administradores veem tudo.',
  forOwners: (names) =>
    `O que um membro vê, por tipo de registro. Proprietários do espaço alteram: ${names}.`,
  kinds: { people: 'Pessoas', companies: 'Empresas', deals: 'Negócios', tasks: 'Tarefas' },
  whoSees: (kind) => `Quem vê ${kind.toLowerCase()}`,
  rules: { everyone: 'Todos', team: 'Equipe', owner: 'Responsável' },
  means: {
    everyone: (kind) => `Todos os membros veem tudo em ${kind.toLowerCase()}.`,
    team: () => 'Membros veem os seus, os de suas equipes, os de ninguém e o que é compartilhado com eles.',
    owner: () =>
      'Membros veem os seus, os de ninguém e o que é compartilhado com eles. Quem lidera vê os da equipe.',
  },
  ofTasks:
    'O responsável pelo registro ligado a uma tarefa também a vê. Para os outros vale esta regra, não a do registro.',
  was: (rule) => `Era: ${rule.toLowerCase()}.`,
  teamFirst: 'Crie uma equipe primeiro.',
  follows:
    'Notas, arquivos e linhas do tempo seguem o registro. Todos veem produtos, funis, etiquetas e listas.',
  change: (kind, rule) => `${kind}: ${rule.toLowerCase()}`,
  saved: 'Salvo. Vale a partir de agora.',
  teams: 'Equipes',
  addTeam: 'Nova equipe',
  noTeams: 'Não há equipes. Crie uma para que os membros vejam os registros uns dos outros.',
  teamsHint:
    'Onde nem todos veem tudo, quem lidera vê e altera o que a equipe tem. Uma pessoa pode estar em várias equipes.',
  leads: (names) => `Liderada por ${names}`,
  noLead: 'Sem líder',
  members: (count) => pluralPt(count, '# membro', '# membros'),
  more: (name) => `Ações da equipe ${name}`,
  edit: 'Editar',
  editTeam: (name) => `Editar ${name}`,
  name: 'Nome',
  inTeam: 'Na equipe',
  leadsTeam: (name) => `${name} lidera a equipe`,
  leadsIt: 'Lidera',
  find: 'Buscar um membro',
  deleteTeam: 'Excluir',
  deleteText: (count) =>
    `${pluralPt(count, 'Seu membro deixa de ver', 'Seus # membros deixam de ver')} o que viam por esta equipe e o que era compartilhado com ela. Os membros ficam. Isto não pode ser desfeito.`,
  example: 'Por exemplo',
  exampleOnceSaved: 'Por exemplo, depois de salvar',
  kind: 'Tipo',
  aRecord: { people: 'uma pessoa', companies: 'uma empresa', deals: 'um negócio', tasks: 'uma tarefa' },
  owner: 'Responsável',
  of: (name) => `de ${name}`,
  ofNobody: 'de ninguém',
  see: 'Veem',
  doNotSee: 'Não veem',
  all: 'Todos veem.',
  onTeams: (teams) => `em ${teams}`,
  onNoTeam: 'em nenhuma equipe',
  invented: 'Estas pessoas são inventadas: um espaço com dois membros ou mais mostra os seus.',
  absent:
    'Para eles o registro não existe: em nenhuma lista, soma, relatório ou busca. O responsável, quem lidera ou um administrador pode compartilhá-lo.',
}

export function useVisibilityTexts(): VisibilityTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
