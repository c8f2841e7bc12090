/** The phone: what Android does with an association address, and the app that it brings up. */
import { createServer } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'
import { type Channel, ChannelError, greet } from './channel.js'
import { type Answering, createWallet, MethodError, type Wallet } from './methods.js'

export interface MobilePhone {
  readonly wallet: Wallet
  /** Where the app answers; a page must come to this port. */
  readonly port: number
  /**
   * A page called `solana-wallet:/v1/associate/local?…`: what Android gives to the app.
   * @throws Error when the address is none, or names another port
   */
  associate(address: string): void
  /** Cuts every session, as when the app is swiped away. */
  dropAll(): void
  stop(): Promise<void>
}
export interface MobilePhoneOptions {
  /** JSON-RPC of the chain that `sign_and_send_transactions` sends to. */
  readonly chainUrl?: string
}

/** The specification's range of ports for local association. */
const FIRST_PORT = 49_152
const LAST_PORT = 65_535
const PROTOCOL = 'com.solana.mobilewalletadapter.v1'
const POINT_BYTES = 65

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  for (let port = LAST_PORT - Math.floor(Math.random() * 8000); port >= FIRST_PORT; port--) {
    const free = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen(port, () => {
        server.removeAllListeners('error')
        resolve(true)
      })
    })
    if (free) return port
  }
  throw new Error('Every port for local association is taken')
}

function bytesOf(data: WebSocket.RawData): Uint8Array {
  return Uint8Array.from(
    Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data,
  )
}

async function sendTo(chainUrl: string, transaction: Uint8Array) {
  const params = [Buffer.from(transaction).toString('base64'), { encoding: 'base64' }]
  const response = await fetch(chainUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }),
  })
  const answer: unknown = await response.json()
  if (Reflect.get(Object(answer), 'error')) throw new Error('The chain refused it')
}

/** One session: greeting, then requests in order. */
function serve(socket: WebSocket, association: () => Uint8Array | undefined, answer: Answering) {
  let channel: Channel | undefined
  const close = (reason: unknown) => socket.close(1002, reason instanceof Error ? reason.message : 'error')
  const handle = async (message: Uint8Array) => {
    if (!channel) {
      const key = association()
      if (!key) throw new ChannelError('Nobody called this wallet')
      const greeting = await greet(message, key)
      channel = greeting.channel
      socket.send(greeting.answer)
      return
    }
    const request = await channel.open(message)
    const [id, method, params] = ['id', 'method', 'params'].map(name => Reflect.get(Object(request), name))
    const reply = await answer(String(method), params).then(
      result => ({ id, jsonrpc: '2.0', result }),
      error => {
        if (!(error instanceof MethodError)) throw error
        return { id, jsonrpc: '2.0', error: { code: error.code, message: error.message } }
      },
    )
    if (socket.readyState === WebSocket.OPEN) socket.send(await channel.seal(reply))
  }
  // One after the other: the messages are counted.
  let turn = Promise.resolve()
  socket.on('message', data => {
    const bytes = bytesOf(data)
    turn = turn.then(() => handle(bytes)).catch(close)
  })
  socket.on('error', close)
}

/**
 * @example
 * const phone = await startMobilePhone()
 * phone.associate('solana-wallet:/v1/associate/local?association=…&port=…')
 */
export async function startMobilePhone({ chainUrl }: MobilePhoneOptions = {}): Promise<MobilePhone> {
  const { wallet, answering } = createWallet(async transaction => {
    if (chainUrl === undefined) throw new Error('This phone has no chain')
    await sendTo(chainUrl, transaction)
  })
  let association: Uint8Array | undefined
  const server = createServer()
  const sockets = new WebSocketServer({
    server,
    path: '/solana-wallet',
    handleProtocols: protocols => (protocols.has(PROTOCOL) ? PROTOCOL : false),
  })
  sockets.on('error', () => {}) // the server's own: told to who listens
  sockets.on('connection', socket => serve(socket, () => association, answering()))
  const port = await listen(server)
  const dropAll = () => {
    for (const socket of sockets.clients) socket.terminate()
  }
  return {
    wallet,
    port,
    associate(address) {
      const { protocol, pathname, searchParams } = new URL(address)
      const key = (searchParams.get('association') ?? '').replaceAll('.', '')
      const bytes = Uint8Array.from(Buffer.from(key, 'base64url'))
      if (protocol !== 'solana-wallet:' || pathname !== '/v1/associate/local' || bytes.length !== POINT_BYTES)
        throw new Error(`This is no association: ${protocol}${pathname}`)
      if (Number(searchParams.get('port')) !== port) throw new Error(`The app answers on ${port}`)
      association = bytes
    },
    dropAll,
    async stop() {
      dropAll()
      sockets.close()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
