import { html, isolateName } from '../markup.ts'
import type { Translations } from './translations.ts'

export const ptBr: Translations = {
  language: 'pt-BR',
  layout: { skip: 'Pular para o conteúdo', account: 'Sua conta', signOut: 'Sair', errorPrefix: 'Erro: ' },
  console: {
    needsScript: 'Este aplicativo precisa de JavaScript.',
    notBuilt: {
      title: 'O aplicativo não está disponível',
      text: 'A API e as outras páginas funcionam. O registro do serviço diz o motivo.',
    },
  },
  links: {
    signIn: 'Ir para o login',
    console: 'Abrir o CRM',
    account: 'Ir para a sua conta',
    forgot: 'Pedir um novo link',
  },
  signIn: {
    title: 'Entrar',
    lead: 'Que bom ver você de novo.',
    leadForApp:
      'Um aplicativo está pedindo acesso. Entre para ver o que ele pede; ' +
      'nada é compartilhado sem a sua permissão.',
    email: 'E-mail',
    password: 'Senha',
    submit: 'Entrar',
    forgot: 'Esqueceu a senha?',
    demo: (name) => html`Entrar na demonstração como ${name}`,
    demoNote: 'Os dados são inventados, e a senha é pública.',
  },
  consent: {
    title: 'Permitir acesso?',
    heading: (app) => html`${app} está pedindo acesso ao seu espaço de trabalho`,
    goesTo: (host) => html`Qualquer que seja a sua decisão, você seguirá para ${host}.`,
    goesToDenied: (host) => html`Se você negar, seguirá para ${host}.`,
    thisDevice: (host) => html`um programa neste dispositivo (${host})`,
    signedInAs: (user) => html`Você entrou como ${user}`,
    notYou: 'Não é você? Sair',
    workspace: 'Espaço de trabalho',
    chooseWorkspace: 'Qual espaço de trabalho ele pode usar?',
    noWorkspace: {
      title: 'Não há espaço de trabalho para compartilhar',
      text:
        'Você não participa de nenhum espaço de trabalho, então não há nada a que este aplicativo possa ' +
        'ter acesso. Peça um convite a um colega ou negue o pedido.',
    },
    permissions: 'O que ele vai poder fazer',
    asYou: 'Ele age em seu nome e nunca além do que a sua própria função permite.',
    lasts:
      'O acesso vale até você remover o aplicativo na página da sua conta ou até ele ficar 60 dias sem uso.',
    caution:
      'Qualquer pessoa pode registrar um aplicativo, com qualquer nome. ' +
      'Só permita o acesso se você conhece este aplicativo e se foi você quem iniciou o pedido.',
    selfNamed: 'Este programa escolheu o próprio nome, e ninguém o verificou.',
    describedAt: (host) =>
      html`Ele é descrito em ${host}: quem cuida desse site decide como ele se chama e para onde leva.`,
    programCaution: 'Só permita o acesso se você confia neste programa e acabou de conectá-lo você mesmo.',
    approve: 'Permitir acesso',
    deny: 'Negar',
  },
  credentials: {
    title: 'Client secret',
    heading: (app) => html`O client secret de ${app}`,
    lead:
      'Ele é criado quando você clica no botão e aparece uma única vez. ' +
      'Deixe pronto o lugar onde o seu aplicativo guarda segredos.',
    replaces: 'Se o aplicativo já tinha um client secret, o anterior não funciona mais.',
    show: 'Mostrar o client secret, uma única vez',
    shownTitle: 'Seu client secret',
    shownHeading: (app) => html`${app} já pode se conectar`,
    keep:
      'Copie o client secret agora. Ao sair desta página, ele some: ' +
      'não guardamos nenhuma cópia que possa ser mostrada de novo.',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    selectAll: 'Um clique seleciona tudo.',
  },
  password: {
    forgotTitle: 'Esqueceu a senha?',
    forgotLead: 'Informe o seu e‑mail, e enviaremos um link para você criar uma nova.',
    forgotSubmit: 'Enviar o link',
    back: 'Voltar para o login',
    resetTitle: 'Crie uma nova senha',
    resetLead: 'Depois disso você entra aqui, e todas as outras sessões são encerradas.',
    resetSubmit: 'Salvar e entrar',
    changeTitle: 'Alterar a senha',
    changeLead: 'Sua sessão continua aqui, e todas as outras são encerradas.',
    changeSubmit: 'Alterar a senha',
    cancel: 'Cancelar',
    current: 'Senha atual',
    fresh: 'Nova senha',
    hint: 'Pelo menos 8 caracteres. Algumas palavras sem relação entre si formam uma boa senha.',
  },
  account: {
    title: 'Sua conta',
    apps: 'Aplicativos conectados',
    noApps:
      'Nenhum aplicativo tem acesso. ' +
      'Os que você permitir aparecem aqui, e você pode removê-los quando quiser.',
    inWorkspace: (workspace) => html`em ${workspace}`,
    connected: (time) => html`Conectado em ${time}`,
    lastUsed: (time) => html`Última atividade em ${time}`,
    permissions: (count) => (count === 1 ? '1 permissão' : `${count} permissões`),
    disconnect: 'Remover',
    disconnectMeans: (app) =>
      html`${app} perde o acesso na hora. Para voltar, precisa pedir a sua permissão outra vez.`,
    disconnectNow: (app) => html`Remover ${app}`,
    endSessionsMeans:
      'Todos os outros navegadores saem na hora, em todos os espaços de trabalho. Você continua aqui.',
    endSessions: 'Encerrar as outras sessões',
    stillConnected: (count) =>
      count === 1
        ? 'Um aplicativo que você autorizou continua com acesso. Se mais alguém sabia a sua senha, remova‑o.'
        : `${count} aplicativos que você autorizou continuam com acesso. Se mais alguém sabia a sua senha, remova‑os.`,
    disconnectAll: 'Remover todos os aplicativos',
    openWorkspace: (workspace) => html`Abrir<span class="unseen"> ${workspace}</span>`,
    workspaces: 'Espaços de trabalho',
    noWorkspaces: 'Você ainda não participa de nenhum espaço de trabalho. Um colega pode convidar você.',
    members: 'Membros',
    membersOf: (workspace) => html`de ${workspace}`,
    security: 'Segurança',
    changePassword: 'Alterar a senha',
    signOutEverywhere: 'Sair de todos os lugares',
  },
  setup: {
    title: 'Configure o seu CRM',
    lead: 'Leva dois minutos. Onde fica a sua empresa?',
    country: 'País',
    next: 'Continuar',
    slugStays: 'Só o nome curto é definitivo: ele faz parte de todos os links.',
    company: 'A sua empresa',
    name: 'Nome do espaço de trabalho',
    nameHint: 'Os seus colegas o veem. A maioria usa o nome da empresa.',
    slug: 'Nome curto',
    slugHint: 'Letras minúsculas, algarismos e hifens. Se ficar vazio, é feito do nome.',
    otherCountry: 'Escolher outro país',
    currency: 'Moeda dos novos negócios',
    locale: 'Valores escritos como em',
    time_zone: 'Fuso horário',
    owner: 'Você, o proprietário',
    owner_name: 'O seu nome',
    owner_email: 'E-mail',
    emailHint: 'Você entra com ele.',
    owner_password: 'Senha',
    submit: 'Criar espaço de trabalho',
    once: 'O que você digita fica neste servidor. A página funciona uma vez: some assim que o espaço existir.',
    byLink:
      'Abra o link que o serviço escreveu ao iniciar: no terminal ou no registro. Cada início escreve um novo.',
    linkOver: 'Este link não funciona, ou não funciona mais.',
    doneTitle: 'Este serviço está configurado',
    done: 'Ele tem um espaço de trabalho, por isso esta página não cria outro. Entre, ou peça um convite a um colega.',
  },
  members: {
    title: 'Membros',
    heading: (workspace) => html`Os membros de ${workspace}`,
    members: 'Membros',
    you: 'você',
    remove: 'Remover',
    removeMeans: (name) =>
      html`${name} perde o acesso na hora, assim como os aplicativos que permitiu. Os registros continuam.`,
    removeNow: (name) => html`Remover ${name}`,
    leave: 'Sair',
    leaveWhat: 'do espaço de trabalho',
    leaveMeans:
      'Você perde o acesso a este espaço de trabalho na hora, assim como os aplicativos que permitiu. ' +
      'Os registros continuam.',
    leaveNow: 'Sair do espaço de trabalho',
    invitations: 'Convites em aberto',
    noInvitations: 'Não há nenhum em aberto.',
    goodUntil: (time) => html`Válido até ${time}`,
    withdraw: 'Cancelar',
    withdrawFrom: (email) => html`o convite de ${email}`,
    stoppedWebhooks: 'Webhooks parados',
    stoppedWebhooksMean:
      'Quem os criou não é mais proprietário nem administrador, por isso nada é entregue. Um proprietário pode assumir cada um.',
    webhookOf: (name) => html`Criado por ${name}`,
    webhookOfNobody: 'Criado por alguém desconhecido',
    linkTitle: (email) => html`O link de ${email}`,
    linkMeans:
      'Entregue‑o você mesmo: este serviço não tem servidor de e‑mail. Ele aparece uma vez e vale por sete dias. Quem o abre entra.',
    inviteTitle: 'Convidar alguém',
    inviteLead: 'A pessoa recebe um link que vale por sete dias.',
    email: 'E-mail',
    role: 'Função',
    invite: 'Enviar convite',
  },
  roles: {
    owner: { name: 'Proprietário', may: 'Faz tudo, inclusive convidar e remover outros proprietários.' },
    admin: { name: 'Administrador', may: 'Faz tudo, exceto convidar e remover proprietários.' },
    member: { name: 'Membro', may: 'Trabalha com os registros e altera os que são seus ou de ninguém.' },
  },
  invitation: {
    title: 'Entrar em um espaço de trabalho',
    heading: (workspace) => html`Participe de ${workspace}`,
    asRole: (role) =>
      `Sua função será a de ${{ owner: 'proprietário', admin: 'administrador', member: 'membro' }[role]}.`,
    leadNew: 'Escolha o seu nome e uma senha, e pronto.',
    leadKnown: (email) => html`O convite é para a conta ${email}, que você já tem.`,
    signInFirst: 'Entre nessa conta e abra o link de novo.',
    leadOther: (invited, signedInAs) => html`Este convite é para ${invited}. Você entrou como ${signedInAs}.`,
    email: 'E-mail',
    name: 'Seu nome',
    password: 'Senha',
    submitNew: 'Criar conta e participar',
    submitKnown: 'Participar',
  },
  errors: {
    requestRefused: {
      title: 'Não é possível continuar',
      text:
        'O aplicativo que trouxe você até aqui fez um pedido de um jeito que não podemos aceitar. ' +
        'Nada foi compartilhado. Volte a ele e tente de novo; ' +
        'se acontecer outra vez, envie os detalhes abaixo a quem o desenvolve.',
    },
    tooMany: {
      title: 'Muitas solicitações',
      text: 'Foram muitas em pouco tempo. Espere um momento e tente de novo.',
    },
    details: 'Detalhes para desenvolvedores',
    code: 'Código',
    message: 'Mensagem',
    fields: 'Parâmetros',
    requestId: 'ID da solicitação',
  },
  scopes: {
    'people:read': 'Ver pessoas, com seus dados de contato e campos personalizados.',
    'people:write': 'Adicionar, alterar e excluir pessoas.',
    'companies:read': 'Ver empresas, com seus dados de contato e campos personalizados.',
    'companies:write': 'Adicionar, alterar e excluir empresas.',
    'deals:read': 'Ver negócios, com seus valores, e funis.',
    'deals:write': 'Adicionar, alterar e excluir negócios e funis.',
    'tasks:read': 'Ver tarefas e tipos de tarefa.',
    'tasks:write': 'Adicionar, alterar e excluir tarefas e tipos de tarefa.',
    'activities:read': 'Ver atividades e seus anexos.',
    'activities:write': 'Adicionar, alterar e excluir atividades e seus anexos.',
    'products:read': 'Ver produtos e seus preços.',
    'products:write': 'Adicionar, alterar e excluir produtos.',
    'tags:read': 'Ver etiquetas.',
    'tags:write': 'Adicionar, alterar e excluir etiquetas.',
    'lists:read': 'Ver listas e quantos registros elas têm.',
    'lists:write': 'Adicionar, alterar e excluir listas.',
    'custom_fields:read': 'Ver como os campos personalizados estão configurados.',
    'custom_fields:write': 'Adicionar, alterar e excluir campos personalizados.',
    'views:read': 'Ver as visões salvas.',
    'views:write': 'Salvar, alterar e excluir visões.',
    'members:read': 'Ver quem participa do espaço de trabalho, com e‑mails, funções e equipes.',
    'members:manage': 'Alterar as funções dos membros e suas equipes, removê‑los e convidar novos.',
    'webhooks:manage':
      'Enviar a endereços escolhidos por ele o que muda no espaço de trabalho e gerenciar esses webhooks.',
    'webhooks:read': 'Ver os webhooks dele e o que foi enviado por eles.',
    'imports:read': 'Ver importações de arquivos e seus resultados.',
    'imports:write': 'Importar arquivos e desfazer importações.',
    'imports:manage': 'Definir quando registros foram criados e fechados, como em outro sistema.',
    'workspace:manage': 'Alterar os ajustes do espaço de trabalho: nome, país, moeda, idioma e fuso horário.',
  },
  fieldErrors: {
    email: 'Informe um e‑mail como ana@example.com.',
    password: 'Informe uma senha de 8 a 200 caracteres que não seja comum nem feita do seu e‑mail.',
    new_password: 'Escolha uma nova senha de 8 a 200 caracteres que não seja comum nem feita do seu e‑mail.',
    current_password: 'Informe a sua senha atual.',
    name: 'Informe um nome de 1 a 80 caracteres.',
    role: 'Escolha uma das funções.',
    workspace: 'Escolha um espaço de trabalho.',
    slug: 'Digite um nome curto de letras minúsculas e algarismos, ligados por um hífen.',
    country: 'Escolha um país.',
    currency: 'Escolha uma moeda.',
    locale: 'Escolha como os valores são escritos.',
    time_zone: 'Escolha um fuso horário.',
    owner_name: 'Digite o seu nome, de 1 a 80 caracteres.',
    owner_email: 'Digite o seu e‑mail, como ana@example.com.',
    owner_password: 'Escolha uma senha de 8 a 200 caracteres que não seja comum nem feita do seu e‑mail.',
  },
  messages: {
    requestOver: {
      title: 'Este pedido já foi encerrado',
      text:
        'Ele já foi decidido ou esperou por mais de 30 minutos. ' +
        'Se você ainda quer conectar o aplicativo, comece de novo por ele.',
    },
    offerOver: {
      title: 'Esta proposta não vale mais',
      writeTo: (email) => html`Escreva para ${email}.`,
    },
    linkOver: {
      title: 'Este link não é mais válido',
      text:
        'Ele já foi usado ou expirou. ' +
        'Os links dos nossos e‑mails funcionam uma única vez e por tempo limitado.',
    },
    secretLinkOver: 'Para receber outro client secret, peça um com POST /v1/auth/rotate-app.',
    invitationOver: 'Peça outro a quem convidou você.',
    resetMailed: {
      title: 'Confira a sua caixa de entrada',
      text:
        'Se houver uma conta com esse endereço, um e‑mail com um link está a caminho. ' +
        'O link vale por 30 minutos e só pode ser usado uma vez.',
    },
    passwordChanged: 'Sua senha foi alterada. Todas as outras sessões foram encerradas.',
    passwordReset: 'Sua nova senha está valendo. Todas as outras sessões foram encerradas.',
    wrongCredentials: 'E‑mail e senha não conferem. Verifique os dois e tente de novo.',
    wrongPassword: 'Essa não é a sua senha atual.',
    tooManyTries: (minutes) =>
      minutes === 1
        ? 'Muitas tentativas. Espere um minuto e tente de novo.'
        : `Muitas tentativas. Espere ${minutes} minutos e tente de novo.`,
    tooManyMails: (minutes) =>
      `Já enviamos vários e‑mails. Espere ${minutes === 1 ? 'um minuto' : `${minutes} minutos`} antes ` +
      'de pedir outro.',
    sessionsEnded: 'Todas as outras sessões foram encerradas.',
    disconnected: 'O aplicativo não tem mais acesso.',
    allDisconnected: 'Nenhum aplicativo tem mais acesso.',
    invited: (email) => html`O convite para ${isolateName(email)} está a caminho.`,
    invitedAgain: (email) =>
      html`Um novo convite para ${isolateName(email)} está a caminho. O link do anterior não funciona mais.`,
    invitationWithdrawn: 'O convite foi cancelado. O link dele não funciona mais.',
    memberRemoved: 'O membro não tem mais acesso.',
    left: 'Você saiu do espaço de trabalho.',
    joined: {
      title: 'Boas-vindas',
      text: (workspace) => html`Agora você participa de ${isolateName(workspace)}.`,
      other: (email, workspace) => html`${isolateName(email)} agora participa de ${isolateName(workspace)}.`,
    },
    formStale: {
      title: 'Tente de novo, por favor',
      text:
        'O formulário ficou aberto por tempo demais ou não veio das nossas páginas, por isso nada foi ' +
        'feito. Volte, recarregue a página e envie outra vez. É preciso permitir cookies.',
    },
    checkFields: 'Verifique o que está marcado abaixo.',
    alreadyMember: 'Essa pessoa já participa do espaço de trabalho.',
    unverifiedAccount:
      'A conta deste e‑mail não está verificada: o usuário dela precisa antes pedir uma nova senha por e‑mail.',
    lastOwner:
      'Um espaço de trabalho precisa de um proprietário. Antes, convide outra pessoa como proprietária.',
    notAllowed: {
      title: 'Você não pode fazer isso',
      text: 'A sua função neste espaço de trabalho não permite isso. Um proprietário pode ajudar.',
    },
    notFound: { title: 'Não há nada aqui', text: 'Esta página não existe, ou você não tem acesso a ela.' },
    somethingWrong: {
      title: 'Algo deu errado',
      text: 'A falha foi nossa, não sua. Tente de novo daqui a pouco.',
    },
  },
}
