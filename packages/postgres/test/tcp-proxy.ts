import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * A wire to a server that can be cut and mended: the database as it looks when the network or its machine
 * goes.
 */
export async function startProxy(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const connections = new Map<Socket, Socket>()
  let cue: { readonly text: string; readonly given: () => void } | undefined
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    connections.set(far, near)
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
        connections.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
  })
  const port = await listen(server, 0)
  const through = new URL(url)
  through.port = String(port)
  return {
    url: through.href,
    async disconnect() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
    reconnect: () => listen(server, port),
    /** Of what is connected now nothing is heard any more, though all stays open. */
    mute() {
      for (const [far, near] of connections) far.unpipe(near)
    },
    /** As `hush`, of the next connection over which `text` is asked, and from then on. */
    muteAt(text: string): Promise<void> {
      return new Promise((given) => {
        cue = { text, given }
      })
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve) =>
    server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
}
