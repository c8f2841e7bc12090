import type { IncomingMessage } from 'node:http'
import { factsOfRequest, isLocalRequest, isLocalUrl, type MovableClock } from '@keybay/sandbox-service'
import { FAUCET_ADDRESS } from './faucet.js'
import { FAULT_TYPES, type Fault, type Faults } from './faults.js'
import type { Fork } from './fork.js'
import { mintTo, TOKEN_FEATURES } from './mint.js'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs.js'
import { Config, toChoice, toPubkey } from './rpc/params.js'
import { invalidParams, RpcError } from './rpc-error.js'
import type { ChainState } from './state.js'

/** Maximum slots created by one `/admin/slots` request or clock jump; beyond it, every blockhash has long expired. */
const MAX_SLOTS = 512

export interface AdminTargets {
  readonly state: ChainState
  readonly clock: MovableClock
  readonly faults: Faults
  readonly fork: Fork
  readonly cutWebSockets: () => number
  readonly save: () => Promise<void>
}

export interface AdminAnswer {
  readonly status: number
  readonly value: unknown
  readonly headers: Readonly<Record<string, string>>
}

type Action = (body: Config) => unknown

/** Admin requests for tests and operators, accepted only from this machine. See the README for the requests. */
export class Admin {
  readonly #targets: AdminTargets
  readonly #actions: Readonly<Record<string, Action>>

  constructor(targets: AdminTargets) {
    this.#targets = targets
    const { state, clock, faults, fork } = targets
    this.#actions = {
      'GET /admin': () => this.#summary(),
      'GET /admin/faults': () => ({ faults: faults.list() }),
      'POST /admin/faults': body => this.#inject(body),
      'DELETE /admin/faults': () => ({ cleared: faults.clear() }),
      'POST /admin/fork': () => {
        if (fork.slot !== undefined) throw invalidParams('there is a fork already: DELETE /admin/fork abandons it')
        return { slot: fork.begin() }
      },
      'DELETE /admin/fork': () => {
        const vanished = fork.abandon()
        if (!vanished) throw invalidParams('there is no fork: POST /admin/fork begins one')
        return { vanished }
      },
      'POST /admin/slots': body => {
        state.advance(Math.min(body.integer('count') ?? 1, MAX_SLOTS))
        return { slot: state.slot, blockHeight: state.height }
      },
      'GET /admin/clock': () => ({ now: clock.now() }),
      'POST /admin/clock': body => this.#moveClock(body),
      'DELETE /admin/clock': () => {
        clock.reset()
        return { now: clock.now() }
      },
      'POST /admin/mint': body => this.#mint(body),
      'POST /admin/snapshot': async () => {
        await targets.save()
        return { slot: state.slot }
      },
    }
  }

  async handle(request: IncomingMessage, path: string, text: string): Promise<AdminAnswer> {
    const { origin = '' } = request.headers
    const headers: Record<string, string> = isLocalUrl(origin)
      ? {
          'access-control-allow-origin': origin,
          'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
          'access-control-allow-headers': 'content-type',
          vary: 'origin',
        }
      : {}
    const refuse = (status: number, error: string): AdminAnswer => ({ status, value: { error }, headers })
    if (!isLocalRequest(factsOfRequest(request)))
      return refuse(403, 'the admin endpoints are open to this machine alone')
    if (request.method === 'OPTIONS') return { status: 204, value: null, headers }
    const match = /^\/admin\/faults\/(\d+)$/.exec(path)
    if (match && request.method === 'DELETE') {
      const cleared = this.#targets.faults.clear(Number(match[1]))
      return cleared ? { status: 200, value: { cleared }, headers } : refuse(404, `there is no fault ${match[1]}`)
    }
    const action = this.#actions[`${request.method} ${path}`]
    if (!action) return refuse(404, `there is no ${request.method} ${path}; see the README of sandbox/chain`)
    try {
      const body = Config.of(text === '' ? {} : JSON.parse(text))
      return { status: 200, value: await action(body), headers }
    } catch (error) {
      if (error instanceof RpcError || error instanceof SyntaxError) return refuse(400, error.message)
      throw error
    }
  }

  #summary(): unknown {
    const { state, clock, faults, fork } = this.#targets
    return {
      slot: state.slot,
      blockHeight: state.height,
      transactions: state.ledger.total,
      now: clock.now(),
      faucet: { address: FAUCET_ADDRESS, lamports: state.vm.balance(FAUCET_ADDRESS) },
      fork: fork.slot ?? null,
      faults: faults.list(),
    }
  }

  #inject(body: Config): unknown {
    const { state, faults, cutWebSockets } = this.#targets
    const type = toChoice(body.value('type'), [...FAULT_TYPES, 'expire-blockhash', 'cut-websockets'] as const)
    if (type === 'cut-websockets') return { cut: cutWebSockets() }
    if (type === 'expire-blockhash') {
      const requestedBlockhash = body.text('blockhash')
      const blockhashes = requestedBlockhash === undefined ? state.blockhashes.newestFirst() : [requestedBlockhash]
      const expired = blockhashes.filter(blockhash => state.blockhashes.expire(blockhash))
      // Make sure that a valid blockhash exists.
      state.advance()
      return { expired }
    }
    const fault: Fault = {
      type,
      method: body.text('method'),
      times: body.integer('times'),
      ms: body.integer('ms'),
      status: body.integer('status'),
      slots: body.integer('slots'),
      message: body.text('message'),
      code: checkNumber(body.value('code'), Number.isSafeInteger, 'code is an integer'),
      share: checkNumber(body.value('share'), share => share > 0 && share <= 1, 'share is above 0 and at most 1'),
    }
    if (fault.status !== undefined && (fault.status < 200 || fault.status > 599)) {
      throw invalidParams('status is an HTTP status from 200 to 599')
    }
    if (fault.times === 0) throw invalidParams('times is at least 1')
    return faults.add(fault)
  }

  /** Moves the clock; when it moves forward, creates the skipped slots too, so that blockhashes expire. */
  #moveClock(body: Config): unknown {
    const { clock, state } = this.#targets
    const now = body.integer('now')
    // Accepts the parameter name of the other services and the chain's own.
    const by = body.value('advance') ?? body.value('advanceMs')
    if (typeof by !== 'number' && now === undefined) throw invalidParams('advance or now is missing (ms)')
    const ms = now === undefined ? Number(by) : now - clock.now()
    if (!Number.isSafeInteger(ms) || clock.now() + ms < 0) throw invalidParams('the clock cannot go there')
    clock.advance(ms)
    const slots = Math.floor(ms / (state.options.slotMs || 400))
    state.advance(Math.min(Math.max(slots, 1), MAX_SLOTS))
    return { now: clock.now(), slot: state.slot }
  }

  #mint(body: Config): unknown {
    const owner = toPubkey(body.value('owner'))
    if (owner === FAUCET_ADDRESS) throw invalidParams('the faucet cannot be the owner')
    const symbol = body.text('symbol') ?? 'DEMO'
    if (symbol === '' || Buffer.byteLength(symbol) > 32) throw invalidParams('symbol is 1 to 32 bytes')
    const decimals = body.integer('decimals') ?? 6
    if (decimals > 18) throw invalidParams('decimals are at most 18')
    const amount = body.text('amount') ?? '1000000000'
    if (!/^\d{1,19}$/.test(amount)) throw invalidParams('amount is a string of digits, in the smallest unit')
    const program = body.choice('program', ['spl-token', 'spl-token-2022'], 'spl-token')
    const tokenProgram = program === 'spl-token' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM
    const feature = body.value('feature') === undefined ? undefined : toChoice(body.value('feature'), TOKEN_FEATURES)
    if (feature && program === 'spl-token') throw invalidParams('features are of spl-token-2022')
    // Symbol and feature together form the seed of the mint's address.
    if (feature && Buffer.byteLength(`${symbol}:${feature}`) > 32)
      throw invalidParams('symbol is too long for a feature')
    return mintTo(this.#targets.state, { owner, symbol, decimals, amount: BigInt(amount), tokenProgram, feature })
  }
}

function checkNumber(value: unknown, isValid: (value: number) => boolean, rule: string): number | undefined {
  if (value === undefined || (typeof value === 'number' && isValid(value))) return value
  throw invalidParams(rule)
}
