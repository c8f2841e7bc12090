/** EVM methods that a page may request, through EIP-1193's `request`. */
import { addr, eip191Signer, signTyped, Transaction, weigwei } from 'micro-eth-signer'
import { chainUnknown, invalidParameters, methodUnsupported, notAuthorised } from '../../errors.js'
import { getActive } from './state.js'
import { ask, type Context, done, field, type Method, type Step } from './step.js'

type Call = (context: Context, params: readonly unknown[]) => Promise<Step>

function toHex(number: number) {
  return `0x${number.toString(16)}`
}

function isSame(value: unknown, other: string) {
  return typeof value === 'string' && value.toLowerCase() === other.toLowerCase()
}
/** Returns the requested account, which must be the active one. */
function trustedAccount({ state, origin }: Context, requestedAddress: unknown) {
  const account = getActive(state)
  if (!state.trusted.includes(origin) || !isSame(requestedAddress, account.evm)) throw notAuthorised()
  return account
}

function hexToBytes(hex: unknown) {
  if (typeof hex !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(hex)) throw invalidParameters('Bytes are sent as hex')
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], byte => Number.parseInt(byte, 16))
}

function toNumber(value: unknown) {
  return typeof value === 'string' ? BigInt(value) : 0n
}

function getChainId(params: readonly unknown[]) {
  const chainId = Number(field(params[0], 'chainId'))
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw invalidParameters('This is no chain')
  return chainId
}

function text(context: Context, title: string, lead: string, texts: readonly string[], approved: () => unknown) {
  return ask(
    { kind: 'text', origin: context.origin, address: getActive(context.state).evm, title, lead, texts },
    approved,
  )
}

const accounts: Call = async ({ state, origin }) => done(state.trusted.includes(origin) ? [getActive(state).evm] : [])
const CALLS: Readonly<Record<string, Call>> = {
  eth_accounts: accounts,
  async eth_requestAccounts(context) {
    const { state, origin, store } = context
    if (state.trusted.includes(origin)) return accounts(context, [])
    const { evm } = getActive(state)
    return ask({ kind: 'connect', origin, address: evm }, async () => {
      await store.update(({ trusted }) => ({
        trusted: [...trusted.filter(trustedOrigin => trustedOrigin !== origin), origin],
      }))
      return [evm]
    })
  },
  eth_chainId: async ({ state }) => done(toHex(state.chainId)),
  async wallet_revokePermissions({ store, origin }) {
    await store.update(({ trusted }) => ({ trusted: trusted.filter(trustedOrigin => trustedOrigin !== origin) }))
    return done(null)
  },
  async personal_sign(context, [message, from]) {
    const { keys } = trustedAccount(context, from)
    const bytes = hexToBytes(message)
    const shown = new TextDecoder().decode(bytes)
    return text(context, 'Sign message', 'Signing costs nothing and sends no transaction.', [shown], () =>
      eip191Signer.sign(bytes, keys.evm),
    )
  },
  async eth_signTypedData_v4(context, [from, json]) {
    const { keys } = trustedAccount(context, from)
    const typed = JSON.parse(String(json))
    const shown = JSON.stringify(typed.message, undefined, 2)
    return text(context, 'Sign typed data', `For ${field(typed.domain, 'name') ?? 'an unnamed app'}.`, [shown], () =>
      signTyped(typed, keys.evm),
    )
  },
  async wallet_switchEthereumChain({ state, store }, params) {
    const chainId = getChainId(params)
    if (!state.chains.includes(chainId)) throw chainUnknown()
    await store.update(() => ({ chainId }))
    return done(null)
  },
  async wallet_addEthereumChain(context, params) {
    const chainId = getChainId(params)
    const name = String(field(params[0], 'chainName') ?? chainId)
    return text(context, 'Add chain', 'This site wants to use another chain.', [name], async () => {
      await context.store.update(({ chains }) => ({ chains: [...new Set([...chains, chainId])] }))
      return null
    })
  },
  async eth_sendTransaction(context, [call]) {
    const { keys } = trustedAccount(context, field(call, 'from'))
    const { state, store } = context
    const to = field(call, 'to')
    const value = toNumber(field(call, 'value'))
    if (typeof to !== 'string') throw invalidParameters('There is no recipient')
    return text(context, 'Send transaction', 'The wallet signs and sends it.', [`${value} wei to ${to}`], async () => {
      const signed = Transaction.prepare({
        to: addr.addChecksum(to),
        value,
        data: typeof field(call, 'data') === 'string' ? String(field(call, 'data')) : '',
        gasLimit: toNumber(field(call, 'gas')) || 100_000n,
        maxFeePerGas: weigwei.decode('10'),
        nonce: BigInt(state.sent.length),
        chainId: BigInt(state.chainId),
      }).signBy(keys.evm)
      const { hash } = signed
      await store.update(({ sent }) => ({ sent: [...sent, { hash, mined: false }] }))
      return hash
    })
  },
  /** The first request finds nothing, as on a real chain; the transaction is in a block from then on. */
  async eth_getTransactionReceipt({ state, store }, [hash]) {
    const index = state.sent.findIndex(entry => entry.hash === hash)
    const transaction = state.sent[index]
    if (!transaction || state.fate === 'never') return done(null)
    const status = state.fate === 'undone' ? '0x0' : '0x1'
    if (transaction.mined) return done({ transactionHash: transaction.hash, blockNumber: toHex(index + 1), status })
    await store.update(({ sent }) => ({
      sent: sent.map(entry => (entry.hash === hash ? { ...entry, mined: true } : entry)),
    }))
    return done(null)
  },
}

/** `params`: `{ method, params }` of EIP-1193. */
export const evmRequest: Method = async (context, call) => {
  const params = field(call, 'params')
  const run = CALLS[String(field(call, 'method'))]
  if (!run) throw methodUnsupported()
  return run(context, Array.isArray(params) ? params : [])
}
