import type { ImportProblem } from '@sales-crm/client'
import type { Rule } from './fields-en.ts'

/** The rules that cells break, by their codes. */
const RULES: Readonly<Record<Exclude<Rule['code'], 'invalid_value'>, string>> = {
  unknown_owner: 'Nenhum membro com este nome ou endereço.',
  unknown_pipeline: 'Nenhum funil com este nome.',
  unknown_stage: 'Nenhuma etapa com este nome.',
  unknown_status: 'Não é aberto, ganho nem perdido.',
  unknown_type: 'Nenhum tipo de tarefa com este nome.',
  unknown_option: 'Não é uma das opções.',
  unknown_currency: 'Não é uma moeda, como BRL.',
  unknown_field: 'O campo personalizado não existe mais.',
  unknown_record: 'Não há tal registro aqui.',
  invalid_number: 'Não é um número.',
  invalid_amount: 'Não é um valor.',
  invalid_date: 'Não é uma data.',
  invalid_boolean: 'Não é sim nem não.',
  invalid_url: 'Não é um endereço da web.',
  invalid_email: 'Não é um endereço de e-mail.',
  invalid_phone: 'Não é um número de telefone.',
  invalid_cpf: 'Os dígitos verificadores do CPF não conferem.',
  invalid_cnpj: 'Os dígitos verificadores do CNPJ não conferem.',
  repeated: 'Também está em uma linha anterior: aquela é a que vale.',
  taken: 'Já pertence a outro registro.',
  forbidden: 'Você não tem permissão para isto.',
}

/** Rules of the fields themselves, which have no codes, by what their sentences contain. */
const FIELD_RULES: readonly (readonly [form: RegExp, text: string])[] = [
  [/^Required\.$/, 'Obrigatório.'],
  [/URL\.$/, 'Não é um endereço da web.'],
  [/characters/, 'É longo demais, ou tem caracteres que não são aceitos.'],
  [/between|at most|at least/, 'Está fora dos limites do campo.'],
]

export function translateRule({ code, message }: Rule): string {
  if (code !== 'invalid_value') return RULES[code]
  return FIELD_RULES.find(([form]) => form.test(message))?.[1] ?? 'Não é aceito pelas regras do campo.'
}

/** Why a file cannot be read, or an import is paused, by the code. */
const PROBLEMS: Readonly<Record<string, string>> = {
  too_many_columns: 'A tabela tem mais de mil colunas, que é o limite.',
  row_too_large: 'Uma linha passa de 4 MiB, que é o limite.',
  cell_too_large: 'Uma célula passa de 1 MiB, que é o limite: talvez falte fechar aspas.',
  nul_character: 'Há um caractere que não é texto: salve o arquivo como CSV em UTF-8.',
  invalid_encoding:
    'O texto não é UTF-8 válido: salve o arquivo como CSV em UTF-8, ou escolha a codificação.',
  not_text: 'O arquivo não é CSV: salve a tabela como CSV.',
  empty: 'O arquivo está vazio, ou não tem linhas abaixo do cabeçalho.',
  nested_value: 'Um objeto contém uma lista ou outro objeto: cada valor deve ser texto, número, sim ou não.',
  unknown_key: 'Uma chave não está nas primeiras linhas: acrescente-a à primeira linha.',
  invalid_json: 'Isto não é um objeto JSON.',
  text_after_quote: 'Há texto depois de aspas que fecham: dentro de uma célula, escreva as aspas duas vezes.',
  unclosed_quote: 'Aspas abrem uma célula e não fecham.',
  unknown_delimiter: 'O separador deve ser vírgula, ponto e vírgula, tabulação ou barra.',
  extra_cells: 'Uma linha tem mais células do que há colunas: ponha entre aspas o texto que tem o separador.',
  member_removed: 'O membro que começou a importação foi removido.',
  workspace_full: 'O espaço de trabalho está cheio.',
}

export function translateProblem({ code, line }: ImportProblem): string {
  const text = PROBLEMS[code] ?? 'O arquivo não pode ser lido.'
  return line === null ? text : `Linha ${line}: ${text}`
}
