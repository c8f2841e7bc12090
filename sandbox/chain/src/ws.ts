import type { Server } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'
import { toJson } from './json.js'
import type { RpcContext } from './rpc/context.js'
import { failure, type Id, type Response, success, toRequest } from './rpc/dispatch.js'
import { Params } from './rpc/params.js'
import { internalError, invalidParams, methodNotFound, parseError, RpcError } from './rpc-error.js'
import { requiredParams, Subscriptions } from './subscriptions.js'

const MAX_MESSAGE_BYTES = 50 * 1024
const MAX_SUBSCRIPTIONS = 1_000
/** A client that does not read is disconnected, so that unsent data does not fill memory. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024

/** Websocket server. Listens on its own port, and also on the HTTP port for clients behind one address. */
export class WebSockets {
  readonly #context: RpcContext
  readonly #subscriptions: Subscriptions
  readonly #server: WebSocketServer = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES })
  #isClosed = false

  constructor(context: RpcContext) {
    this.#context = context
    this.#subscriptions = new Subscriptions(context)
    this.#server.on('connection', socket => this.#connected(socket))
  }

  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy())
      if (this.#isClosed || this.#context.faults.has('refuse-websockets')) socket.destroy()
      else this.#server.handleUpgrade(request, socket, head, client => this.#server.emit('connection', client, request))
    })
  }

  /** Drops every connection without a close message; returns their number. */
  cut(): number {
    const { size } = this.#server.clients
    for (const client of this.#server.clients) client.terminate()
    return size
  }

  /** Drops every connection and refuses new ones: clients reconnect at once, and an open socket keeps a server from closing. */
  close(): void {
    this.#isClosed = true
    this.cut()
  }

  #connected(socket: WebSocket): void {
    const subscriptionIds = new Set<number>()
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      for (const id of subscriptionIds) this.#subscriptions.remove(id)
    })
    socket.on('message', data => this.#message(socket, subscriptionIds, data.toString()))
  }

  #message(socket: WebSocket, subscriptionIds: Set<number>, text: string): void {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      send(socket, failure(null, parseError()))
      return
    }
    if (!Array.isArray(value)) this.#answer(socket, subscriptionIds, value)
    else for (const element of value) this.#answer(socket, subscriptionIds, element)
  }

  #answer(socket: WebSocket, subscriptionIds: Set<number>, value: unknown): void {
    let id: Id = null
    try {
      const request = toRequest(value)
      // A client's ping is a notification, like any request without an id.
      if (request.id === undefined) return
      id = request.id
      const fault = this.#context.faults.takeForCall([request.method])
      if (fault?.type === 'drop') return
      if (fault?.type === 'error') throw new RpcError(fault.code ?? -32603, fault.message ?? 'Internal error')
      send(socket, success(id, this.#call(socket, subscriptionIds, request.method, request.params)))
    } catch (error) {
      send(socket, failure(id, error))
    }
  }

  #call(socket: WebSocket, subscriptionIds: Set<number>, method: string, params: unknown): unknown {
    if (method === 'ping') return 'pong'
    const required = requiredParams(method)
    if (required !== undefined) {
      if (subscriptionIds.size >= MAX_SUBSCRIPTIONS) {
        throw internalError('Internal Error: Subscription refused. Node subscription limit reached')
      }
      const id = this.#subscriptions.add(method, new Params(params, required), (name, result) => {
        send(socket, { jsonrpc: '2.0', method: name, params: { result, subscription: id } })
      })
      subscriptionIds.add(id)
      return id
    }
    if (requiredParams(method.replace(/Unsubscribe$/, 'Subscribe')) === undefined) throw methodNotFound()
    const id = new Params(params, 1).integer(0)
    // Only the client's own subscriptions: otherwise one client could end another's.
    if (!subscriptionIds.delete(id) || !this.#subscriptions.remove(id)) throw invalidParams('Invalid subscription id.')
    return true
  }
}

function send(socket: WebSocket, message: Response | object): void {
  if (socket.readyState !== WebSocket.OPEN) return
  if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate()
  else socket.send(toJson(message))
}
