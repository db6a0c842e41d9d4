import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

export type Terminal = ReturnType<typeof openTerminal>

/** A shell that commands are pasted into. It reads them line by line, as `read` in them does what is typed afterwards. */
export function openTerminal(cwd: string) {
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    // A group of its own, so that what it leaves in the background ends with it.
    detached: true,
    env: { PATH: `${process.execPath.replace(/\/[^/]+$/, '')}:${process.env['PATH']}`, HOME: cwd },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [said, errors] = ['', '']
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  onTestFinished(async () => {
    const exit = once(shell, 'exit')
    if (shell.exitCode !== null) return
    process.kill(-shell.pid!, 'SIGKILL')
    await exit
  })
  let pasted = 0

  /** What has been printed, once it is as it should be. @throws Error when the shell ends without it */
  async function until(isThere: (said: string) => boolean): Promise<string> {
    while (!isThere(said)) {
      if (shell.exitCode !== null) throw new Error(`The shell ended: ${said}${errors}`)
      await setTimeout(20)
    }
    return said
  }

  return {
    until,
    /** What the commands print and complain of. With `typed`, what is typed when they ask. */
    async paste(
      commands: string,
      typed?: string,
    ): Promise<{ readonly said: string; readonly errors: string }> {
      const [from, errorsFrom] = [said.length, errors.length]
      pasted += 1
      const end = `-- end of ${pasted} --`
      shell.stdin.write(`${commands}\n${typed === undefined ? '' : `${typed}\n`}echo '${end}'\n`)
      // What runs in the background may print behind the end.
      const all = await until((text) => text.includes(`${end}\n`, from))
      return { said: all.slice(from, all.indexOf(end, from)), errors: errors.slice(errorsFrom) }
    },
  }
}
