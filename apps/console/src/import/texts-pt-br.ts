import { createPlural } from '../texts/plural.ts'
import type { ImportTexts } from './texts-en.ts'

const plural = createPlural('pt-BR')
const numbers = new Intl.NumberFormat('pt-BR')

export const ptBr: ImportTexts = {
  title: { people: 'Importar pessoas', companies: 'Importar empresas' },
  steps: 'Passos',
  step: { file: 'Arquivo', columns: 'Colunas', review: 'Revisão', run: 'Conclusão' },
  leave: 'Salvar e sair',
  forbidden: 'O seu papel não permite criar estes registros.',
  file: {
    title: 'Escolha um arquivo',
    lead: 'Uma tabela em CSV, com os nomes das colunas na primeira linha. O Excel, o Google Planilhas e outros CRMs salvam uma.',
    choose: 'Escolher arquivo',
    drop: 'ou solte-o aqui',
    paste: 'ou cole linhas que você copiou de uma planilha',
    usePasted: 'Continuar com estas linhas',
    pastedName: 'Linhas copiadas',
    limits: 'Até 10.000 linhas e 20 MB. Nada é trazido antes de você ver.',
    goOn: (name) => `Continuar com ${name}`,
    goOnText: (done, total) =>
      done === 0
        ? `${plural(total, '# linha espera', '# linhas esperam')} onde você parou.`
        : `${numbers.format(done)} de ${plural(total, '# linha já foi trazida', '# linhas já foram trazidas')}.`,
    discard: 'Descartar',
    errors: {
      empty: 'O arquivo está vazio.',
      onlyHeads: 'O arquivo tem os nomes das colunas, mas nenhuma linha abaixo deles.',
      tooManyRows: 'O arquivo tem mais de 10.000 linhas. Divida-o.',
      tooLarge: 'O arquivo tem mais de 20 MB. Divida-o.',
      unreadable: 'Este não é um arquivo de texto. Salve a tabela como CSV.',
    },
    tooManyCells: (row) =>
      `A linha ${numbers.format(row)} tem mais células do que há colunas. O texto pode ter um separador sem aspas.`,
    openQuote: (row) => `Na linha ${numbers.format(row)} há aspas que não fecham.`,
    notStored: 'O navegador não guarda o arquivo. Ele some quando você sair da página.',
  },
  columns: {
    size: (rows, columns) =>
      `${plural(rows, '# linha', '# linhas')}, ${plural(columns, '# coluna', '# colunas')}`,
    separatedBy: (encoding, separator) => [encoding, `separado por ${separator}`].filter(Boolean).join(', '),
    separators: { ',': 'vírgulas', ';': 'ponto e vírgula', '\t': 'tabulações', '|': 'barras' },
    matched: (matched, all) =>
      `${numbers.format(matched)} de ${plural(all, '# coluna foi reconhecida', '# colunas foram reconhecidas')} pelo nome. Compare os exemplos e continue.`,
    table: 'Colunas',
    head: 'No arquivo',
    samples: 'Exemplos',
    becomes: 'Vira',
    becomesOf: (head) => `${head} vira`,
    result: 'Resultado',
    noHead: (column) => `Coluna ${column}`,
    empty: '(vazio)',
    notBroughtIn: 'Não trazer',
    notBroughtInResult: 'não é trazida',
    takenBy: (label, head) => `${label} (${head})`,
    ofAll: (count, all) => `${numbers.format(count)} de ${numbers.format(all)}`,
    found: (found, created) =>
      `${plural(found, '# encontrada', '# encontradas')}, ${plural(created, '# nova', '# novas')}`,
    looking: 'Procurando…',
    lookingFor: (done, total) =>
      total === 0
        ? 'Procurando o que já existe…'
        : `Procurando o que já existe: ${numbers.format(done)} de ${numbers.format(total)}…`,
    required: (labels) => `Um registro novo precisa de um valor aqui, e nenhuma coluna o tem: ${labels}.`,
    update: {
      people: 'Atualizar as pessoas que já existem, encontradas pelo e-mail',
      companies: 'Atualizar as empresas que já existem, encontradas pelo nome',
    },
    noName: 'Escolha a coluna que tem os nomes.',
    ready: (ready, leftOut) =>
      leftOut === 0
        ? plural(ready, '# linha está pronta.', 'Todas as # linhas estão prontas.')
        : `${plural(ready, '# linha está pronta', '# linhas estão prontas')}, ${plural(leftOut, '# não está.', '# não estão.')}`,
    next: (rows) => plural(rows, 'Revisar # linha', 'Revisar # linhas'),
  },
  targets: {
    fullName: 'Nome completo',
    firstName: 'Primeiro nome',
    middleName: 'Nome do meio',
    lastName: 'Sobrenome',
    position: 'Cargo',
    website: 'Site',
    company: 'Empresa, pelo nome',
    owner: 'Responsável (e-mail ou nome)',
    tags: 'Etiquetas, pelo nome',
    note: 'Nota na linha do tempo',
    email: 'E-mail',
    phone: 'Telefone',
    emailTypes: { work: 'trabalho', home: 'pessoal', other: 'outro' },
    phoneTypes: { mobile: 'celular', work: 'trabalho', home: 'casa', other: 'outro' },
  },
  targetGroups: { own: 'Campos', custom: 'Campos personalizados' },
  shortTargets: { company: 'Empresa', owner: 'Responsável', tags: 'Etiquetas', note: 'Nota', name: 'Nome' },
  problems: {
    title: (rows) => plural(rows, '# linha precisa de você', '# linhas precisam de você'),
    none: 'Todas as linhas estão prontas.',
    noneText: 'Linhas que não podem ser trazidas apareceriam aqui.',
    csv: 'CSV',
    csvLabel: 'Baixar em CSV as linhas que ficam de fora',
    csvName: 'de fora',
    reason: 'Motivo',
    errors: {
      noName: 'falta',
      notAnEmail: 'não é um endereço',
      notANumber: 'não é um número',
      notADate: 'não é uma data',
      noOption: 'opção inexistente',
      noMember: 'membro inexistente',
      noTag: 'etiqueta inexistente',
    },
    results: {
      noName: (count) => plural(count, '# falta', '# faltam'),
      notAnEmail: (count) => plural(count, '# não é endereço', '# não são endereços'),
      notANumber: (count) => plural(count, '# não é número', '# não são números'),
      notADate: (count) => plural(count, '# não é data', '# não são datas'),
      noOption: (count) => plural(count, '# opção desconhecida', '# opções desconhecidas'),
      noMember: (count) => plural(count, '# membro desconhecido', '# membros desconhecidos'),
      noTag: (count) => plural(count, '# etiqueta desconhecida', '# etiquetas desconhecidas'),
    },
    wrong: (count) => plural(count, '# errado', '# errados'),
    texts: (texts, more) =>
      `${texts.map((each) => `“${each}”`).join(', ')}${more > 0 ? plural(more, ' e mais um', ' e mais #') : ''}`,
    rows: (rows, more) =>
      `${rows.length === 1 && more === 0 ? 'Linha' : 'Linhas'} ${rows.map((row) => numbers.format(row)).join(', ')}${
        more > 0 ? plural(more, ' e mais uma', ' e mais #') : ''
      }`,
    showRows: 'Mostrar linhas',
    row: 'Linha',
    leaveBlank: 'Deixar em branco',
    leaveBlankAndRetry: 'Deixar em branco e tentar de novo',
    chooseForAll: 'Escolher para todas…',
    addOption: (option) => `Criar a opção “${option}”`,
    addTag: (tag) => `Criar a etiqueta “${tag}”`,
    hint: 'Linhas que continuam erradas ficam de fora e voltam para você em um arquivo, com o motivo ao lado de cada uma.',
  },
  review: {
    title: 'O que vai acontecer',
    created: {
      people: (count) => plural(count, 'pessoa é nova', 'pessoas são novas'),
      companies: (count) => plural(count, 'empresa é nova', 'empresas são novas'),
    },
    updated: {
      people: (count) => plural(count, 'pessoa é atualizada', 'pessoas são atualizadas'),
      companies: (count) => plural(count, 'empresa é atualizada', 'empresas são atualizadas'),
    },
    newCompanies: (count) => plural(count, 'empresa é criada', 'empresas são criadas'),
    leftOut: (count) => plural(count, 'linha fica de fora', 'linhas ficam de fora'),
    updatedText: {
      people:
        'Encontradas pelo e-mail. Só muda o que o arquivo tem; nenhuma parte do nome, nenhum endereço, número ou etiqueta se perde.',
      companies:
        'Encontradas pelo nome. Só muda o que o arquivo tem; nenhum endereço, número ou etiqueta se perde.',
    },
    all: 'Para todas',
    list: 'Pôr em uma lista',
    noList: 'Nenhuma lista',
    tag: 'Pôr uma etiqueta',
    noTag: 'Nenhuma etiqueta',
    owner: { people: 'Responsável pelas novas pessoas', companies: 'Responsável pelas novas empresas' },
    preview: 'Como vão ficar',
    previewText: (shown, all) =>
      shown === all
        ? plural(all, 'A única linha', 'Todas as # linhas')
        : `As primeiras ${shown} de ${numbers.format(all)} linhas`,
    action: 'Ação',
    isNew: 'Nova',
    isUpdate: 'Atualização',
    duration: (time) => `Leva ${time}. Enquanto isso, você pode continuar o seu trabalho.`,
    start: (count) => plural(count, 'Trazer # linha', 'Trazer # linhas'),
    lookupFailed: 'Não foi possível descobrir quem já existe.',
  },
  run: {
    running: 'Trazendo as linhas',
    paused: 'Esperando a conexão',
    stopped: 'Parado',
    done: 'Concluído',
    progress: 'Linhas trazidas',
    of: (done, total) => `${numbers.format(done)} de ${plural(total, '# linha', '# linhas')}`,
    pace: (perMinute) => `No máximo ${perMinute} por minuto, para que o espaço de trabalho continue rápido.`,
    left: (time) => `falta ${time}`,
    stop: 'Parar',
    goOn: 'Continuar',
    pausedText: 'O serviço não pode ser alcançado. A importação continua sozinha.',
    runningText: 'Você pode usar outras páginas enquanto isso. Deixe esta aba aberta.',
    stoppedText: 'O que já foi trazido fica. Continue quando quiser: nenhuma linha é trazida duas vezes.',
    created: {
      people: (count) => plural(count, 'pessoa criada', 'pessoas criadas'),
      companies: (count) => plural(count, 'empresa criada', 'empresas criadas'),
    },
    updated: {
      people: (count) => plural(count, 'pessoa atualizada', 'pessoas atualizadas'),
      companies: (count) => plural(count, 'empresa atualizada', 'empresas atualizadas'),
    },
    newCompanies: (count) => plural(count, 'empresa criada', 'empresas criadas'),
    leftOut: (count) => plural(count, 'linha de fora', 'linhas de fora'),
    open: { people: 'Abrir as pessoas', companies: 'Abrir as empresas' },
    openList: (name) => `Abrir a lista ${name}`,
    openTag: (name) => `Abrir a etiqueta ${name}`,
    another: 'Importar outro arquivo',
  },
  time: {
    moment: 'um instante',
    seconds: (count) => plural(count, 'cerca de # segundo', 'cerca de # segundos'),
    minutes: (count) => plural(count, 'cerca de # minuto', 'cerca de # minutos'),
    hours: (count) => plural(count, 'cerca de # hora', 'cerca de # horas'),
  },
}
