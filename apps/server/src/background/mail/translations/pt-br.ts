import type { NoticeKind } from '@sales-crm/core'
import type { MailTranslation } from '../mail-translation.ts'
import { neutralizeName } from '../neutral-name.ts'

const ROLES = {
  owner: 'com a função de proprietário',
  admin: 'com a função de administrador',
  member: 'com a função de membro',
} as const

const SETTINGS_NOTE = 'Você escolhe quais e‑mails recebe nas suas configurações.'

const NOTICES: Readonly<Record<NoticeKind, (title: string, actor: string) => string>> = {
  task_due: (title) => `Para hoje: ${title}`,
  task_overdue: (title) => `Atrasada: ${title}`,
  reminder: (title) => `Lembrete: ${title}`,
  mention: (title, actor) => `${actor} mencionou você em ${title}`,
  change: (title, actor) => `${actor} alterou ${title}`,
}

const nameOf = (name: string | null) => (name === null ? 'Alguém' : neutralizeName(name))
const toLine = (title: string) => `– ${neutralizeName(title)}`

export const ptBr: MailTranslation = {
  tag: 'pt-BR',
  orCopy: 'Ou copie este endereço no seu navegador:',

  // The subject omits the name of the app, because anyone can register an app with any address.
  app_registered: ({ app_name, client_id, address }) => ({
    subject: 'Seu aplicativo foi registrado',
    greeting: 'Olá!',
    opening: [
      `O aplicativo “${neutralizeName(app_name)}” foi registrado com este e‑mail. ` +
        `O client ID dele é ${client_id}.`,
      'O client secret é mostrado uma única vez. Tenha um lugar seguro para guardá-lo e abra a página:',
    ],
    button: 'Mostrar o client secret',
    closing: [
      'O link vale por 15 minutos e só pode ser usado uma vez. Até ele ser usado, o aplicativo fica inativo.',
      'Não foi você? Então não faça nada: sem este link, ninguém consegue usar o aplicativo. ' +
        `O pedido veio do endereço IP ${address}.`,
    ],
  }),

  app_rotated: ({ app_name, client_id, address }) => ({
    subject: 'Seu aplicativo precisa do novo client secret',
    greeting: 'Olá!',
    opening: [
      `Foi pedido um novo client secret para o aplicativo “${neutralizeName(app_name)}”, cujo client ID ` +
        `é ${client_id}. O anterior não funciona mais.`,
      'O novo é mostrado uma única vez. Tenha um lugar seguro para guardá-lo e abra a página:',
    ],
    button: 'Mostrar o novo client secret',
    closing: [
      'O link vale por 15 minutos e só pode ser usado uma vez. Depois disso, peça outro client secret.',
      'Não foi você? Só você tem este link, mas seu aplicativo precisa do novo client secret para ' +
        'continuar funcionando: abra a página e configure-o no aplicativo. ' +
        `O pedido veio do endereço IP ${address}; se isso se repetir, avise quem administra este serviço.`,
    ],
  }),

  invitation: ({ workspace_name, inviter_name, role }) => ({
    subject: `Convite de ${neutralizeName(inviter_name)} para ${neutralizeName(workspace_name)}`,
    greeting: 'Olá!',
    opening: [
      `Você recebeu um convite de ${neutralizeName(inviter_name)} para entrar no espaço de trabalho ` +
        `“${neutralizeName(workspace_name)}” no Sales CRM, ${ROLES[role]}.`,
    ],
    button: 'Ver o convite',
    closing: [
      'O link vale por sete dias e só pode ser usado uma vez.',
      'Não conhece essa pessoa? Então não faça nada: você só entra se aceitar o convite.',
    ],
  }),

  password_reset: ({ name, address }) => ({
    subject: 'Crie uma nova senha',
    greeting: `Olá, ${neutralizeName(name)}!`,
    opening: ['Foi pedida uma nova senha para a sua conta no Sales CRM. Crie‑a aqui:'],
    button: 'Criar uma nova senha',
    closing: [
      'O link vale por 30 minutos e só pode ser usado uma vez.',
      'Não foi você? Então não faça nada: sua senha continua a mesma. ' +
        `O pedido veio do endereço IP ${address}.`,
    ],
  }),

  password_changed: ({ name, address }) => ({
    subject: 'Sua senha foi alterada',
    greeting: `Olá, ${neutralizeName(name)}!`,
    opening: [
      `A senha da sua conta no Sales CRM foi alterada a partir do endereço IP ${address}.`,
      'Se foi você, não é preciso fazer nada.',
    ],
    closing: [
      'Não foi você? Então vá agora mesmo à página de login e crie uma nova senha em “Esqueceu a ' +
        'senha?”: isso também desconecta quem estiver usando a sua conta. ' +
        'E avise quem administra este serviço.',
    ],
  }),

  sign_in_attempts: ({ name, address }) => ({
    subject: 'Tentativas de acesso à sua conta sem sucesso',
    greeting: `Olá, ${neutralizeName(name)}!`,
    opening: [
      'Dez tentativas de entrar na sua conta no Sales CRM falharam em um dia, a última a partir do ' +
        `endereço IP ${address}.`,
      'A partir de agora, tentativas de lugares onde você nunca entrou precisam esperar cada vez mais.',
    ],
    closing: [
      'Foi você? Crie uma nova senha em “Esqueceu a senha?” na página de login.',
      'Não foi você? Ninguém conseguiu entrar. Se você usa a mesma senha em outro lugar, troque‑a.',
    ],
  }),

  notice: ({ notice, actor_name, title }) => ({
    subject: NOTICES[notice](neutralizeName(title), nameOf(actor_name)),
    greeting: 'Olá!',
    opening: [`${NOTICES[notice](`“${neutralizeName(title)}”`, nameOf(actor_name))}.`],
    button: 'Abrir',
    closing: [SETTINGS_NOTE],
  }),

  tasks_of_day: ({ workspace_name, due, overdue, others }) => ({
    subject: `Suas tarefas de hoje em ${neutralizeName(workspace_name)}`,
    greeting: 'Olá!',
    opening: [
      ...(due.length > 0 ? ['Para hoje:', ...due.map(toLine)] : []),
      ...(overdue.length > 0 ? ['Atrasadas:', ...overdue.map(toLine)] : []),
      ...(others > 0 ? [`E mais ${others}.`] : []),
    ],
    button: 'Ver suas tarefas',
    closing: [SETTINGS_NOTE],
  }),
}
