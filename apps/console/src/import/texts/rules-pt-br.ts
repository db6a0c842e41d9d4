import type { ImportProblem } from '@sales-crm/client'

/** The rules that cells break, as the service says them. */
const RULES: Readonly<Record<string, string>> = {
  'Is no number.': 'Não é um número.',
  'Is no date.': 'Não é uma data.',
  'Is neither yes nor no.': 'Não é sim nem não.',
  'Is no web address.': 'Não é um endereço da web.',
  'Is no currency, such as BRL.': 'Não é uma moeda, como BRL.',
  'Is none of the options.': 'Não é uma das opções.',
  'Is no e-mail address.': 'Não é um endereço de e-mail.',
  'Is no phone number.': 'Não é um número de telefone.',
  'Is no amount.': 'Não é um valor.',
  'Is neither open, won nor lost.': 'Não é aberto, ganho nem perdido.',
  'Is in an earlier row too: that one counts.': 'Também está em uma linha anterior: aquela é a que vale.',
  'No member of that name or address.': 'Nenhum membro com este nome ou endereço.',
  'No task type of that name.': 'Nenhum tipo de tarefa com este nome.',
  'No pipeline of that name.': 'Nenhum funil com este nome.',
  'No stage of that name.': 'Nenhuma etapa com este nome.',
  'No such record here.': 'Não há tal registro aqui.',
  'Required.': 'Obrigatório.',
}

/** Others, by how they begin or what they contain. */
const RULE_FORMS: readonly (readonly [form: RegExp, text: string])[] = [
  [/^Is none of: /, 'Não é uma das opções.'],
  [/^Must be a CPF/, 'Os dígitos verificadores do CPF não conferem.'],
  [/^Must be a CNPJ/, 'Os dígitos verificadores do CNPJ não conferem.'],
  [/e-mail address/, 'Não é um endereço de e-mail.'],
  [/URL\.$/, 'Não é um endereço da web.'],
  [/characters/, 'É longo demais, ou tem caracteres que não são aceitos.'],
  [/between|at most|at least/, 'Está fora dos limites do campo.'],
  [/already|taken/i, 'Já pertence a outro registro.'],
]

export function translateRule(message: string): string {
  return (
    RULES[message] ??
    RULE_FORMS.find(([form]) => form.test(message))?.[1] ??
    'Não é aceito pelas regras do campo.'
  )
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
