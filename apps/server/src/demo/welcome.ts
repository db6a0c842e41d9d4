import { OWNER } from './owner.ts'
import type { Demo } from './prepare.ts'

export interface WelcomeOptions {
  readonly colour: boolean
  /** The environment the demo was started in, before `.env` added to it. */
  readonly given: Readonly<Record<string, string | undefined>>
}

/** What tells the operator's tool which installation is meant. */
const PLACE = ['HOST', 'PORT', 'BASE_URL', 'DATABASE_URL', 'DATA_DIR', 'SECRET_KEY'] as const

/** What a newcomer needs, ready to be pasted line by line or as a whole. Lines to paste are never framed. */
export function welcome({ baseUrl, workspace, clientId, token, dueBefore, taskId }: Demo, { colour, given }: WelcomeOptions): string {
  const ink = (code: number) => (text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text)
  const [bold, dim, cyan] = [ink(1), ink(2), ink(36)]
  const tasks = `${baseUrl}/v1/tasks`
  const bearer = '-H "Authorization: Bearer $TOKEN"'
  const sending = `${bearer} -H 'Content-Type: application/json' -d`
  const urgent = `completed=false&due_before=${dueBefore}&order_by=due_date&order=asc&per_page=3`
  const created = `{"title":"Ask Bruno for the price list","type":"email","owner_email":"${OWNER.email}"}`
  const { shown, hidden } = placeOf(given)
  const same = hidden.length === 0 ? '' : `, with ${hidden.join(' and ')} set as they are here`

  const steps = [
    ['A token, good for an hour', `TOKEN=${token}`],
    ['List what is due within a week, the most urgent first', `curl '${tasks}?${urgent}' ${bearer}`],
    ['Find people by name, e-mail or phone, whatever the accents', `curl '${baseUrl}/v1/people?search=joao' ${bearer}`],
    ['Create a task', `curl ${tasks} ${sending} '${created}'`],
    ...(taskId === undefined ? [] : [['Complete the most urgent', `curl -X PATCH ${tasks}/${taskId} ${sending} '{"completed":true}'`]]),
    [
      `Make another token${same}`,
      [...shown, `npm run crm -- token create --workspace ${workspace} --client ${clientId} --user ${OWNER.email}`].join(' '),
    ],
  ] as const

  return [
    ...title(`Sales CRM is running at ${baseUrl}`, colour).map(bold),
    '',
    ...steps.flatMap(([what = '', command = '']) => [dim(`# ${what}`), command.includes(token) ? command : cyan(command), '']),
    `${dim('API     ')} ${baseUrl}/docs`,
    `${dim('Sign in ')} ${baseUrl}/sign-in`,
    `${dim('E-mail  ')} ${OWNER.email}`,
    `${dim('Password')} ${OWNER.password}`,
    '',
    dim('Ctrl+C stops it. Run it again, and everything is still there.'),
  ].join('\n')
}

/** The assignments that lead the tool to this installation, and the names of those that hold a secret and are not shown. */
function placeOf(given: WelcomeOptions['given']): { readonly shown: readonly string[]; readonly hidden: readonly string[] } {
  const set = PLACE.flatMap((name) => (given[name] ? [{ name, value: given[name] }] : []))
  const { secret = [], open = [] } = Object.groupBy(set, ({ name, value }) => (holdsSecret(name, value) ? 'secret' : 'open'))
  return { shown: open.map(({ name, value }) => `${name}=${quoted(value)}`), hidden: secret.map(({ name }) => name) }
}

function holdsSecret(name: string, value: string): boolean {
  return name === 'SECRET_KEY' || value.startsWith('postgres')
}

/** A value as a POSIX shell reads it back. */
function quoted(value: string): string {
  return /^[\w.:/-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}

function title(text: string, framed: boolean): string[] {
  if (!framed) return [text]
  const rule = '─'.repeat(text.length + 4)
  return [`╭${rule}╮`, `│  ${text}  │`, `╰${rule}╯`]
}
