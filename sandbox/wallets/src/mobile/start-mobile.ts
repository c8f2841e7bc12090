/** Starts a phone that opens association addresses like Android, and runs the wallet app. */
import { createServer } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'
import { sendTransaction } from '../rpc.js'
import { type Channel, ChannelError, greet } from './channel.js'
import { createWallet, type Handler, MethodError, type Wallet } from './methods.js'

export interface MobilePhone {
  readonly wallet: Wallet
  /** Port of the app, chosen by the page. */
  readonly port: number
  /**
   * Opens the app with an address `solana-wallet:/v1/associate/local?…`, like Android.
   * @throws Error if the address is invalid or names another port
   */
  associate(address: string): void
  /** Closes every session, as swiping the app away does. */
  dropAll(): void
  stop(): Promise<void>
}
export interface MobilePhoneOptions {
  /** JSON-RPC address for `sign_and_send_transactions`. */
  readonly chainUrl?: string
}

/** First of the specification's ports for local association. */
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

function toBytes(data: WebSocket.RawData): Uint8Array {
  return Uint8Array.from(
    Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data,
  )
}

/** Runs one session: the handshake, then requests in order. */
function serve(socket: WebSocket, association: () => Uint8Array | undefined, handle: Handler) {
  let channel: Channel | undefined
  const close = (reason: unknown) => socket.close(1002, reason instanceof Error ? reason.message : 'error')
  const receive = async (message: Uint8Array) => {
    if (!channel) {
      const key = association()
      if (!key) throw new ChannelError('No page opened this wallet')
      const greeting = await greet(message, key)
      channel = greeting.channel
      socket.send(greeting.answer)
      return
    }
    const request = await channel.open(message)
    const [id, method, params] = ['id', 'method', 'params'].map(name => Reflect.get(Object(request), name))
    const reply = await handle(String(method), params).then(
      result => ({ id, jsonrpc: '2.0', result }),
      error => {
        if (!(error instanceof MethodError)) throw error
        return { id, jsonrpc: '2.0', error: { code: error.code, message: error.message } }
      },
    )
    if (socket.readyState === WebSocket.OPEN) socket.send(await channel.seal(reply))
  }
  // In sequence, because messages are numbered.
  let turn = Promise.resolve()
  socket.on('message', data => {
    const bytes = toBytes(data)
    turn = turn.then(() => receive(bytes)).catch(close)
  })
  socket.on('error', close)
}

/**
 * @example
 * const phone = await startMobilePhone()
 * phone.associate('solana-wallet:/v1/associate/local?association=…&port=…')
 */
export async function startMobilePhone({ chainUrl }: MobilePhoneOptions = {}): Promise<MobilePhone> {
  const { wallet, createSession } = createWallet(async transaction => {
    if (chainUrl === undefined) throw new Error('This phone has no chain')
    await sendTransaction(chainUrl, transaction)
  })
  let association: Uint8Array | undefined
  const server = createServer()
  const sockets = new WebSocketServer({
    server,
    path: '/solana-wallet',
    handleProtocols: protocols => (protocols.has(PROTOCOL) ? PROTOCOL : false),
  })
  sockets.on('error', () => {}) // `server` reports the error too
  sockets.on('connection', socket => serve(socket, () => association, createSession()))
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
        throw new Error(`This is no association address: ${protocol}${pathname}`)
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
