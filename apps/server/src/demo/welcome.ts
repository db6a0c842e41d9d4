import { type Demo, OWNER } from './prepare.ts'

/** What a newcomer needs, ready to be pasted. Lines to paste are never framed. */
export function welcome({ baseUrl, workspace, clientId, token, taskId }: Demo, { colour }: { readonly colour: boolean }): string {
  const ink = (code: number) => (text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text)
  const [bold, dim, cyan] = [ink(1), ink(2), ink(36)]
  const bearer = (text: string) => `-H "Authorization: Bearer ${text}"`
  const json = "-H 'Content-Type: application/json'"
  const tasks = `${baseUrl}/v1/tasks`
  const completing = `curl -X PATCH ${tasks}/${taskId} ${bearer('$TOKEN')} ${json} -d '{"completed":true}'`

  const steps = [
    ['List the tasks that are left', `curl '${tasks}?completed=false&per_page=5' ${bearer(token)}`],
    ['Keep the token: it is good for an hour', `TOKEN=${token}`],
    ['Create a task', `curl ${tasks} ${bearer('$TOKEN')} ${json} -d '{"title":"Call Ana about the proposal","priority":"high"}'`],
    ...(taskId === undefined ? [] : [['Complete a task', completing]]),
    ['Make another token', `npm run crm -- token create --workspace ${workspace} --client ${clientId} --user ${OWNER.email}`],
  ] as const

  return [
    ...title(`Sales CRM is running at ${baseUrl}`, colour).map(bold),
    '',
    ...steps.flatMap(([what = '', command = '']) => [dim(`# ${what}`), command.split(token).map(cyan).join(dim(token)), '']),
    `${dim('Owner   ')} ${OWNER.email}`,
    `${dim('Password')} ${OWNER.password}`,
    '',
    dim('Ctrl+C stops it. Run it again, and everything is still there.'),
  ].join('\n')
}

function title(text: string, framed: boolean): string[] {
  if (!framed) return [text]
  const rule = '─'.repeat(text.length + 4)
  return [`╭${rule}╮`, `│  ${text}  │`, `╰${rule}╯`]
}
