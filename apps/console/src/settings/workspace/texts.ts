import { useConsole } from '../../app/console-context.ts'

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
      text: 'The zone of the company. Moments that are planned stay as they are.',
    },
  },
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
    time_zone: { label: 'Fuso horário', text: 'O fuso da empresa. Momentos planejados ficam como estão.' },
  },
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
}

export function useWorkspaceTexts(): WorkspaceTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
