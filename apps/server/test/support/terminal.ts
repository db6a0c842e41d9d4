import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

export type Terminal = ReturnType<typeof openTerminal>

/**
 * Opens a shell and pastes commands into it. Bash reads its input line by line, so a `read` in the commands
 * consumes the text after them.
 */
export function openTerminal(cwd: string) {
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    // A process group of its own, killed with the shell's background processes.
    detached: true,
    env: { PATH: `${process.execPath.replace(/\/[^/]+$/, '')}:${process.env['PATH']}`, HOME: cwd },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
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

  /** Returns the output once `isComplete` accepts it. @throws Error when the shell ends first */
  async function until(isComplete: (output: string) => boolean): Promise<string> {
    while (!isComplete(output)) {
      if (shell.exitCode !== null) throw new Error(`The shell ended: ${output}${errors}`)
      await setTimeout(20)
    }
    return output
  }

  return {
    until,
    /** Runs commands and returns their output and errors. `typed` is the input for their prompts. */
    async paste(
      commands: string,
      typed?: string,
    ): Promise<{ readonly output: string; readonly errors: string }> {
      const [from, errorsFrom] = [output.length, errors.length]
      pasted += 1
      const end = `-- end of ${pasted} --`
      shell.stdin.write(`${commands}\n${typed === undefined ? '' : `${typed}\n`}echo '${end}'\n`)
      // Background processes may print after the end marker.
      const all = await until((text) => text.includes(`${end}\n`, from))
      return { output: all.slice(from, all.indexOf(end, from)), errors: errors.slice(errorsFrom) }
    },
  }
}
