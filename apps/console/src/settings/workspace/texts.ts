import { useConsole } from '../../app/console-context.ts'
import { createPlural } from '../../texts/plural.ts'

const plural = createPlural('en')
const pluralPt = createPlural('pt-BR')

const en = {
  lead: 'Owners change this. It holds for everyone in the workspace.',
  forOwners: (owners: string) => `Owners change this: ask ${owners}. It holds for everyone in the workspace.`,
  slug: 'Address',
  slugText: 'Part of every link, so it stays.',
  none: 'Not set',
  settings: {
    name: { label: 'Name', text: 'In the side bar, in mails and on invitations.' },
    country: { label: 'Country', text: 'Where the company is.' },
    currency: {
      label: 'Currency',
      text: 'New deals begin in it. Amounts that are there keep their currency: nothing is converted.',
    },
    locale: {
      label: 'Amounts are written as in',
      text: 'Here and in answers of the API. Each member’s own language stays.',
    },
    time_zone: {
      label: 'Time zone',
      text: 'Days and months begin in it. Open tasks and forecasts without a time keep their day, others their moment.',
    },
  },
  movingDays: (visited: number, total: number | null) =>
    `Tasks and forecasts move to the new time zone: ${visited} of ${total ?? '…'} looked at.`,
  movedDays: (count: number) =>
    plural(
      count,
      '# task or forecast moved to the new time zone with its day.',
      '# tasks and forecasts moved to the new time zone with their days.',
    ),
  notMovedDays: (count: number) =>
    plural(count, '# was refused by a rule of this service.', '# were refused by a rule of this service.'),
  now: (time: string) => `${time} now`,
  was: (value: string) => `Was ${value}.`,
  putBack: 'Put back',
  change: (label: string, value: string) => `${label}: ${value}`,
  saved: 'The workspace was saved.',
  currencyStays: 'Deals that are there keep their currency, and new ones begin in the new one.',
  usage: 'What it holds',
  records: 'Records',
  storage: 'Files and long texts',
  used: (value: string, max: string) => `${value} of ${max}`,
  unlimited: (value: string) => `${value}, without a limit`,
  nearlyFull: 'It is nearly full. Delete what is no longer needed, or ask the operator for more.',
  archive: {
    title: 'Everything of this workspace',
    text: 'A file with all records, files, settings and members, without secrets. Another service takes the workspace over from it.',
    makeLink: 'Make a link',
    makeAnother: 'Make another link',
    download: 'Download',
    until: (time: string) =>
      `Good until ${time}. Whoever has the link can read everything. The download begins when the file is complete. If it fails, another link says why.`,
    pending:
      'Deliveries to webhooks are waiting, or records are being changed in the background. Try again when that is done.',
  },
}

export type WorkspaceTexts = typeof en

const ptBr: WorkspaceTexts = {
  lead: 'Proprietários alteram isto. Vale para todos no espaço de trabalho.',
  forOwners: (owners) =>
    `Proprietários alteram isto: fale com ${owners}. Vale para todos no espaço de trabalho.`,
  slug: 'Endereço',
  slugText: 'Faz parte de todos os links, por isso fica.',
  none: 'Não definido',
  settings: {
    name: { label: 'Nome', text: 'Na barra lateral, em e-mails e em convites.' },
    country: { label: 'País', text: 'Onde a empresa fica.' },
    currency: {
      label: 'Moeda',
      text: 'Novos negócios começam nela. Os valores que existem mantêm a moeda: nada é convertido.',
    },
    locale: {
      label: 'Valores escritos como em',
      text: 'Aqui e nas respostas da API. O idioma de cada membro continua o seu.',
    },
    time_zone: {
      label: 'Fuso horário',
      text: 'Os dias e meses começam nele. Tarefas abertas e previsões sem hora mantêm o dia, as outras o momento.',
    },
  },
  movingDays: (visited, total) =>
    `Tarefas e previsões passam para o novo fuso: ${visited} de ${total ?? '…'} vistas.`,
  movedDays: (count) =>
    pluralPt(
      count,
      '# tarefa ou previsão passou para o novo fuso com o seu dia.',
      '# tarefas e previsões passaram para o novo fuso com os seus dias.',
    ),
  notMovedDays: (count) =>
    pluralPt(
      count,
      '# foi recusada por uma regra deste serviço.',
      '# foram recusadas por uma regra deste serviço.',
    ),
  now: (time) => `${time} agora`,
  was: (value) => `Era ${value}.`,
  putBack: 'Voltar atrás',
  change: (label, value) => `${label}: ${value}`,
  saved: 'O espaço de trabalho foi salvo.',
  currencyStays: 'Os negócios que existem mantêm a moeda, e os novos começam na nova.',
  usage: 'O que ele guarda',
  records: 'Registros',
  storage: 'Arquivos e textos longos',
  used: (value, max) => `${value} de ${max}`,
  unlimited: (value) => `${value}, sem limite`,
  nearlyFull: 'Está quase cheio. Exclua o que não é mais necessário ou peça mais ao operador.',
  archive: {
    title: 'Tudo deste espaço de trabalho',
    text: 'Um arquivo com todos os registros, arquivos, configurações e membros, sem segredos. Com ele, outro serviço assume o espaço de trabalho.',
    makeLink: 'Criar link',
    makeAnother: 'Criar outro link',
    download: 'Baixar',
    until: (time) =>
      `Válido até ${time}. Quem tiver o link pode ler tudo. O download começa quando o arquivo está completo. Se falhar, outro link diz por quê.`,
    pending:
      'Há entregas a webhooks pendentes, ou registros sendo alterados em segundo plano. Tente de novo quando isso terminar.',
  },
}

export function useWorkspaceTexts(): WorkspaceTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
