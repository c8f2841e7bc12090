/** A TCP proxy that a test can cut, as when a network fails: nothing arrives on either side, and neither learns why. */
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '@keybay/sandbox-tools/free-port'

export interface TcpProxy {
  readonly port: number
  cut(): void
  /** Forwards again what arrived since. */
  mend(): void
  stop(): void
}

/** @param target port of this machine */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  let isCut = false
  /** Both directions of each connection. */
  const links = new Set<readonly [Socket, Socket]>()
  const forward = ([from, to]: readonly [Socket, Socket]) => from.pipe(to)
  const link = (from: Socket, to: Socket) => {
    const direction = [from, to] as const
    links.add(direction)
    from.on('error', () => undefined)
    from.on('close', () => {
      links.delete(direction)
      to.destroy()
    })
    if (!isCut) forward(direction)
  }
  const server = createServer(socket => {
    const upstream = connect(target, '127.0.0.1')
    link(socket, upstream)
    link(upstream, socket)
  })
  const port = await freePort()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    cut() {
      isCut = true
      for (const [from, to] of links) from.unpipe(to).pause()
    },
    mend() {
      isCut = false
      for (const direction of links) forward(direction)
    },
    stop() {
      server.close()
      for (const [from] of links) from.destroy()
    },
  }
}
