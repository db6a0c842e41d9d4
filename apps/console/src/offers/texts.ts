import { useConsole } from '../app/console-context.ts'
import { createPlural } from '../texts/plural.ts'

const plural = createPlural('en')
const pluralPt = createPlural('pt-BR')

const en = {
  offers: 'Offers',
  make: 'Make an offer',
  noItems: 'The deal has no items to offer.',
  noSender: 'The workspace has no sender yet. An owner sets it in the settings.',
  validUntil: 'Valid until',
  language: 'Language',
  languages: { en: 'English', 'pt-BR': 'Portuguese (Brazil)' },
  notes: 'Notes',
  made: (number: string) => `Offer ${number} was made.`,
  madeOn: (name: string, day: string, until: string) => `${name}${day}, valid until ${until}`,
  over: (day: string) => `It was valid until ${day}.`,
  opened: (count: number, last: string) =>
    plural(count, `Opened once, ${last}`, `Opened # times, last ${last}`),
  notOpened: 'Not opened yet',
  download: 'Download',
  link: 'Link',
  makeLink: 'Make a link',
  makeAnother: 'New link',
  linkOnce: 'The link is shown once. Whoever has it reads the offer.',
  replaceTitle: 'Make a new link?',
  replaceText: 'The former link ends. Whoever opens it reads that the offer is no longer valid.',
  revoke: 'Revoke the link',
  revokeTitle: 'Revoke the link?',
  revokeText: 'Whoever opens it reads that the offer is no longer valid.',
  revoked: 'The link was revoked.',
  sender: {
    title: 'Sender of offers',
    text: 'Offers name it as who makes them. Offers that are made keep what they say.',
    legal_name: 'Legal name',
    tax_id: 'Tax id',
    address: 'Address',
    email: 'E-mail',
    logo: 'Logo',
    logoHint: 'PNG or JPEG, at most 100 KB.',
    removeLogo: 'Remove the logo',
    save: 'Save the sender',
    saved: 'The sender was saved.',
  },
}

type OfferTexts = typeof en

const ptBr: OfferTexts = {
  offers: 'Propostas',
  make: 'Criar proposta',
  noItems: 'O negócio não tem itens para propor.',
  noSender: 'O espaço de trabalho ainda não tem remetente. Um proprietário o define nas configurações.',
  validUntil: 'Válida até',
  language: 'Idioma',
  languages: { en: 'Inglês', 'pt-BR': 'Português (Brasil)' },
  notes: 'Observações',
  made: (number) => `A proposta ${number} foi criada.`,
  madeOn: (name, day, until) => `${name}${day}, válida até ${until}`,
  over: (day) => `Ela valia até ${day}.`,
  opened: (count, last) => pluralPt(count, `Aberta uma vez, ${last}`, `Aberta # vezes, a última ${last}`),
  notOpened: 'Ainda não aberta',
  download: 'Baixar',
  link: 'Link',
  makeLink: 'Criar link',
  makeAnother: 'Novo link',
  linkOnce: 'O link é mostrado uma vez. Quem o tiver lê a proposta.',
  replaceTitle: 'Criar um novo link?',
  replaceText: 'O link anterior termina. Quem o abrir lê que a proposta não vale mais.',
  revoke: 'Revogar o link',
  revokeTitle: 'Revogar o link?',
  revokeText: 'Quem o abrir lê que a proposta não vale mais.',
  revoked: 'O link foi revogado.',
  sender: {
    title: 'Remetente das propostas',
    text: 'As propostas o nomeiam como quem as faz. As que já existem mantêm o que dizem.',
    legal_name: 'Razão social',
    tax_id: 'CNPJ ou outro registro fiscal',
    address: 'Endereço',
    email: 'E-mail',
    logo: 'Logotipo',
    logoHint: 'PNG ou JPEG, no máximo 100 KB.',
    removeLogo: 'Remover o logotipo',
    save: 'Salvar o remetente',
    saved: 'O remetente foi salvo.',
  },
}

export function useOfferTexts(): OfferTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
