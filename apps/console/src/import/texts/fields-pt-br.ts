import type { FieldTexts } from './fields-en.ts'
import { translateRule } from './rules-pt-br.ts'

const percent = (share: number) => `${Math.round(share * 100)} %`

export const fieldsPtBr: FieldTexts = {
  kinds: {
    people: 'Pessoas',
    companies: 'Empresas',
    deals: 'Negócios',
    products: 'Produtos',
    tasks: 'Tarefas',
    activities: 'Notas',
    tags: 'Etiquetas',
    lists: 'Listas',
  },
  kind: {
    people: 'Pessoa',
    companies: 'Empresa',
    deals: 'Negócio',
    products: 'Produto',
    tasks: 'Tarefa',
    activities: 'Nota',
    tags: 'Etiqueta',
    lists: 'Lista',
  },
  fields: {
    first_name: 'Primeiro nome',
    middle_name: 'Nome do meio',
    last_name: 'Sobrenome',
    'emails:work': 'E-mail (trabalho)',
    'emails:home': 'E-mail (casa)',
    'emails:other': 'E-mail (outro)',
    'phones:mobile': 'Telefone (celular)',
    'phones:work': 'Telefone (trabalho)',
    'phones:home': 'Telefone (casa)',
    'phones:other': 'Telefone (outro)',
    avatar_url: 'Endereço da foto',
    owner_email: 'Responsável, por nome ou e-mail',
    tags: 'Etiquetas, por nome',
    lists: 'Listas, por nome',
    status: 'Aberto, ganho ou perdido',
    closed_at: 'Fechado em',
    'closed_at:won': 'Ganho em',
    'closed_at:lost': 'Perdido em',
    stage_entered_at: 'Na etapa desde',
    notes: 'Anotações',
    due_date: 'Vencimento',
    content_html: 'Texto da nota',
    created_at: 'Criado em',
    external_id: 'ID em outro sistema',
  },
  externalId: (source) => `ID em ${source}`,
  newField: 'Novo campo personalizado',
  leaveOut: 'Deixar de fora',
  taken: (label, column) => `${label} (${column})`,
  matchNames: {
    external_id: 'ID em outro sistema',
    email: 'E-mail',
    phone: 'Telefone',
    domain: 'Domínio do site',
    name: 'Nome',
    code: 'Código',
  },
  reason({ code, header = '', system, share = 0 }) {
    switch (code) {
      case 'header':
        return system === undefined ? 'Pelo nome' : `Nome usado por ${system}`
      case 'custom_field':
        return 'O seu campo personalizado com este nome'
      case 'values':
        return `${percent(share)} dos valores têm esta forma`
      case 'consent':
        return 'Consentimento nunca é descartado'
      case 'new_field':
        return share < 1
          ? `Nenhum campo com este nome; ${percent(share)} são do tipo`
          : 'Nenhum campo com este nome'
      case 'taken':
        return `“${header}” já tem este campo`
      case 'same_as':
        return `Igual a “${header}”`
      case 'describes':
        return `Descreve “${header}”`
      case 'derived':
        return `Calculada a partir de “${header}”`
      case 'failures':
        return 'Por que as linhas ficaram de fora'
      case 'empty':
        return 'Nenhuma linha tem valor'
      case 'no_name':
        return 'Nem o nome nem os valores dizem o que é'
      case 'no_custom_fields':
        return 'Este tipo não tem campos personalizados'
      case 'too_many_fields':
        return 'Campos novos demais de uma vez'
      default:
        return ''
    }
  },
  rule: translateRule,
}
