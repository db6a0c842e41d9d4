import { createPlural } from '../texts/plural.ts'
import { isolate } from './join-names.ts'
import type { ReportTexts } from './texts-en.ts'

const plural = createPlural('pt-BR')

const countDeals = (count: number) => plural(count, '# negócio', '# negócios')
const countActivities = (count: number) => plural(count, '# atividade', '# atividades')
const countTasks = (count: number) => plural(count, '# tarefa concluída', '# tarefas concluídas')

export const ptBr: ReportTexts = {
  scope: {
    all: 'Conta todos os negócios do espaço de trabalho. Membros veem só alguns deles.',
    owner: 'Conta os negócios que você vê: os seus, os de ninguém e o que é compartilhado com você.',
    team: (teams) =>
      `Conta os negócios que você vê: os seus, os de ${teams}, os de ninguém e o que é compartilhado com você.`,
  },
  lead: 'Cada moeda tem o seu relatório. Nada é convertido.',
  currency: 'Moeda',
  period: 'Período',
  periods: {
    '6-months': 'Últimos 6 meses',
    quarter: 'Este trimestre',
    year: 'Este ano',
    '12-months': 'Últimos 12 meses',
  },
  csv: 'CSV',
  copyCsv: (title) => `Copiar ${title} como CSV`,
  copied: (title) => `${title}: copiado como CSV.`,
  notCopied: (title) => `${title}: não foi copiado, o navegador não permite.`,
  allCurrencies: 'todas as moedas',
  partial: 'Há mais grupos do que o serviço informa: os menores ficaram de fora.',
  showEverybody: 'Mostrar todos',
  showYear: 'Mostrar os últimos 12 meses',
  none: '—',
  others: (count) => plural(count, '# outro', '# outros'),
  units: {
    ones: (currency) => currency,
    thousands: (currency) => `milhares de ${currency}`,
    millions: (currency) => `milhões de ${currency}`,
    billions: (currency) => `bilhões de ${currency}`,
    trillions: (currency) => `trilhões de ${currency}`,
  },
  columns: {
    figure: 'Indicador',
    value: 'Valor',
    note: 'Nota',
    stage: 'Etapa',
    deals: 'Negócios',
    amount: 'Valor',
    weighted: 'Ponderado',
    month: 'Mês',
    type: 'Tipo',
    total: 'Total',
    member: 'Membro',
    activities: 'Atividades',
    tasks: 'Tarefas concluídas',
    deal: 'Negócio',
    lastActivity: 'Última atividade',
    quiet: 'Parado',
    quietDays: 'Parado (dias)',
  },
  figures: {
    title: 'Indicadores',
    open: 'Em aberto',
    openNote: (count) => countDeals(count),
    openNoteIn: (count, currency) => `${countDeals(count)} em ${currency}`,
    weighted: 'Previsão ponderada',
    weightedNote: 'valor × probabilidade da etapa',
    winRate: 'Taxa de ganho',
    winRateNote: (won, lost) => `${won} ganhos, ${lost} perdidos`,
    noneClosed: 'Nenhum negócio foi fechado neste período',
    median: 'Dias até ganhar, mediana',
    medianBefore: (days, range) => `antes, ${days} (${range})`,
    noneWonBefore: (range) => `nenhum ganho antes (${range})`,
    noneWon: 'Nenhum negócio foi ganho neste período',
  },
  stages: {
    title: 'Etapas',
    finding: (stage, count, all, amount) =>
      `${isolate(stage)} tem mais negócios em aberto: ${count} de ${all}, com ${amount}.`,
    findingOneStage: (stage, amount) =>
      `Todos os negócios em aberto estão em ${isolate(stage)}, com ${amount}.`,
    findingTie: (stages, count, all) => `${stages} têm mais negócios em aberto: ${count} cada, de ${all}.`,
    empty: (currency) => `Nenhum negócio em aberto em ${currency} neste funil.`,
    add: 'Adicionar negócio',
  },
  won: {
    title: 'Ganhos',
    finding: (amount, count, month, most) =>
      `${amount} em ${plural(count, '# negócio ganho', '# negócios ganhos')}; o melhor mês foi ${month}, com ${most}.`,
    findingOneMonth: (amount, count, month) =>
      `${amount} em ${plural(count, '# negócio ganho', '# negócios ganhos')}, em ${month}.`,
    empty: (currency) => `Nenhum negócio em ${currency} foi ganho neste período.`,
    note: (unit) => `Por mês de fechamento. O gráfico está em ${unit}.`,
  },
  funnel: {
    title: 'Funil',
    entered: 'Entraram',
    wentOn: 'Seguiram',
    share: 'Proporção',
    days: 'Dias, mediana',
    lostHere: 'Perdidos aqui',
    stillHere: 'Ainda aqui',
    finding: (created, won) => `De ${countDeals(created)} que entraram, ${won} ganhos.`,
    slowest: (stage, days) =>
      `${isolate(stage)} é a etapa mais demorada: ${plural(days, '# dia', '# dias')} na mediana.`,
    empty: 'Nenhum negócio foi criado neste período.',
    note: 'Negócios criados no período, em todas as moedas, como estão agora. Um negócio ganho passou por todas as etapas.',
  },
  wonOwners: {
    title: 'Ganhos por responsável',
    owner: 'Responsável',
    average: 'Média',
    finding: (name, amount, count) => `${isolate(name)} ganhou mais: ${amount} com ${countDeals(count)}.`,
    note: (unit) => `Pelo responsável de hoje. O gráfico está em ${unit}.`,
  },
  targets: {
    title: 'Meta',
    month: 'Mês da meta',
    owner: 'Responsável',
    won: 'Ganho',
    forecast: 'Previsão',
    target: 'Meta',
    difference: 'Acima, falta',
    all: 'Todos',
    noTarget: 'sem meta',
    finding: (won, forecast, share, target) =>
      `${won} ganhos e ${forecast} na previsão ponderada são ${share} de ${target}.`,
    over: (names, count) => plural(count, `${names} está acima da meta.`, `${names} estão acima das suas.`),
    findingNone: (currency, month) => `Nenhuma meta em ${currency} foi definida para ${month}.`,
    empty: (currency, month) =>
      `Nenhuma meta em ${currency} foi definida para ${month}, e nada foi ganho nem está previsto.`,
    note: 'Em todos os funis, pelo responsável de hoje. A previsão é o valor × probabilidade dos negócios abertos previstos até o fim do mês.',
    set: 'Metas',
    dialog: 'Metas dos membros',
    dialogMonth: 'Mês',
    hint: 'Enter vai para o próximo membro. Vazio é sem meta.',
    unsaved: 'Salve antes de escolher outro mês ou outra moeda.',
    member: (name) => `Meta de ${isolate(name)}`,
    asLastMonth: (month) => `Como em ${month}`,
    noLastMonth: (month) => `Nenhuma meta de ${month} nesta moeda.`,
    saved: 'As metas foram salvas.',
  },
  lost: {
    title: 'Motivos de perda',
    reason: 'Motivo',
    stages: 'Perdido em',
    none: 'Sem motivo',
    noStage: 'Criado como perdido',
    finding: (reason, count, all) =>
      `${isolate(reason)} vem em primeiro: ${count} de ${all} negócios perdidos.`,
    findingNone: (count, all) => `${count} de ${all} negócios perdidos não têm motivo.`,
    empty: 'Nenhum negócio foi perdido neste período.',
    note: (currency) => `Contam negócios de todas as moedas; os valores são os em ${currency}.`,
  },
  forecast: {
    title: 'Previsão',
    past: 'Passado',
    later: 'Depois',
    noDate: 'Sem data',
    finding: (amount, weighted, month) =>
      `${amount} previstos para ${month}, o maior valor destes meses; ${weighted} ponderados.`,
    findingPast: (amount, count) =>
      `${amount} previstos para antes deste mês e ainda em aberto: ${countDeals(count)}.`,
    undated: 'Nenhum negócio em aberto tem data prevista nestes meses.',
    empty: (currency) => `Nenhum negócio em aberto em ${currency}: não há previsão.`,
    note: (unit) =>
      `Por data prevista. Ponderado é o valor × probabilidade da etapa. O gráfico está em ${unit}.`,
  },
  activity: {
    title: 'Atividade',
    finding: (name, activities, tasks) =>
      `${isolate(name)} fez mais: ${countActivities(activities)} e ${countTasks(tasks)}.`,
    findingOne: (name, activities, tasks) =>
      `${isolate(name)}: ${countActivities(activities)} e ${countTasks(tasks)}.`,
    findingTie: (names, count) =>
      `${names} fizeram mais: ${plural(count, '# atividade ou tarefa concluída', '# atividades e tarefas concluídas')} cada.`,
    findingNobody: (activities, tasks) =>
      `O que foi feito não tem responsável: ${countActivities(activities)} e ${countTasks(tasks)}.`,
    empty: 'Nenhuma atividade registrada e nenhuma tarefa concluída neste período.',
    noOwner: 'Sem responsável',
    note: 'Em todos os funis. Atividades contam pelo seu dia, tarefas por quando foram concluídas.',
  },
  tasks: {
    title: 'Tarefas concluídas',
    finding: (type, count, total) => `${isolate(type)} vem primeiro: ${count} de ${countTasks(total)}.`,
    empty: 'Nenhuma tarefa foi concluída neste período.',
    noType: 'Sem tipo',
    note: 'Em todos os funis, por quando foram concluídas. Uma tarefa reaberta não conta.',
  },
  quiet: {
    title: 'Negócios parados',
    finding: (count, name, days) =>
      `${plural(count, '# negócio em aberto sem', '# negócios em aberto sem')} atividade há 30 dias; ${isolate(name)} há mais tempo, ${plural(days, '# dia', '# dias')}.`,
    shown: (count) => `São mostrados os ${count} sem alteração há mais tempo.`,
    days: (days) => `${days} d`,
    empty: 'Todos os negócios em aberto tiveram atividade nos últimos 30 dias.',
    note: 'Em todas as moedas, neste momento.',
  },
}
