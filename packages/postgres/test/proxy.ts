import { connect, createServer, type Server, type Socket } from 'node:net'

/** A wire to a server that can be cut and mended: the database as it looks when the network or its machine goes. */
export async function cuttable(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const answering = new Map<Socket, Socket>()
  let cue: { readonly text: string; readonly given: () => void } | undefined
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    answering.set(far, near)
    near.pipe(far).pipe(near)
    near.on('data', (asked) => {
      if (!cue || !asked.includes(cue.text)) return
      far.unpipe(near)
      cue.given()
      cue = undefined
    })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        answering.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
  })
  const port = await listening(server, 0)
  const through = new URL(url)
  through.port = String(port)
  return {
    url: through.href,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
    mend: () => listening(server, port),
    /** Of what is connected now nothing is heard any more, though all stays open. */
    hush() {
      for (const [far, near] of answering) far.unpipe(near)
    },
    /** As `hush`, of the next connection over which `text` is asked, and from then on. */
    hushAt(text: string): Promise<void> {
      return new Promise((given) => {
        cue = { text, given }
      })
    },
  }
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port)))
}
