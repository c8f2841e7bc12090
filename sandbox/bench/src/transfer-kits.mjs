/**
 * Sends the same SOL transfer with each kit as the kit's documentation does: confirmed, with preflight, over a
 * websocket.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createKeybay } from '@keybay/kernel'
import { solana } from '@keybay/solana'
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  VersionedTransaction,
} from '@solana/web3.js'
import { entries } from './entries.mjs'
import { prepare } from './peers.mjs'

/**
 * @typedef {object} Sender Of one key.
 * @property {string} address
 * @property {(to: string, lamports: bigint) => Promise<unknown>} send Resolves once it says that it is confirmed.
 * @property {(input: import('@keybay/solana').SendInput) => Promise<unknown>} [order] Anything else that can be sent.
 * @property {(input: import('@keybay/solana').SendInput) => Promise<unknown>} [preview] What a form shows of it.
 * @property {() => void} close
 *
 * @typedef {object} Kit
 * @property {string} name
 * @property {(node: { url: string, wsUrl: string }) => Promise<Sender>} open
 */

/** A wallet that signs at once, as an extension shows itself. @param {Keypair} key */
function getWallet(key) {
  const address = key.publicKey.toBase58()
  const chains = /** @type {const} */ (['solana:localnet'])
  const icon = /** @type {const} */ ('data:image/svg+xml;base64,')
  const account = {
    address,
    publicKey: key.publicKey.toBytes(),
    chains,
    features: /** @type {const} */ (['solana:signTransaction']),
  }
  return /** @type {const} */ ({
    kind: 'wallet',
    id: 'bench',
    name: 'Bench',
    icon,
    readiness: 'ready',
    connectionType: 'browserExtension',
    wallet: {
      version: '1.0.0',
      name: 'Bench',
      icon,
      chains,
      accounts: [account],
      features: {
        'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
        'solana:signTransaction': {
          version: '1.0.0',
          supportedTransactionVersions: ['legacy', 0],
          /** @param {readonly { readonly transaction: Uint8Array }[]} inputs */
          signTransaction: async (...inputs) =>
            inputs.map(({ transaction }) => {
              const made = VersionedTransaction.deserialize(transaction)
              made.sign([key])
              return { signedTransaction: made.serialize() }
            }),
        },
      },
    },
  })
}

/** @type {Kit} */
const keybay = {
  name: 'Keybay',
  open: async ({ url, wsUrl }) => {
    const connector = getWallet(Keypair.generate())
    const instance = createKeybay({
      appName: 'Bench',
      logLevel: 'silent',
      plugins: [
        solana({ cluster: 'localnet', endpoints: { localnet: { rpcUrl: url, webSocketUrl: wsUrl } } }),
        { id: 'bench', version: '0.1.0', setup: () => ({ connectors: [connector] }) },
      ],
    })
    await instance.connect('bench')
    return {
      address: connector.wallet.accounts[0].address,
      send: (to, lamports) => instance.solana.send({ to, lamports }),
      order: input => instance.solana.send(input),
      preview: async input => {
        const { build, fee } = await instance.solana.steps()
        return fee(await build(input, { preview: true }))
      },
      close: () => instance.dispose(),
    }
  },
}

/** web3.js goes on trying to reach a websocket that is closed. @param {Connection} connection */
function closeSocket(connection) {
  const socket = Reflect.get(connection, '_rpcWebSocket')
  Reflect.set(socket, 'reconnect', false)
  Reflect.set(socket, 'connect', () => undefined)
  socket.close()
}
/** @type {Kit} */
const web3 = {
  name: '@solana/web3.js',
  open: async ({ url, wsUrl }) => {
    const connection = new Connection(url, { commitment: 'confirmed', wsEndpoint: wsUrl })
    const key = Keypair.generate()
    return {
      address: key.publicKey.toBase58(),
      send: (to, lamports) => {
        const toPubkey = new PublicKey(to)
        const transfer = SystemProgram.transfer({ fromPubkey: key.publicKey, toPubkey, lamports })
        return sendAndConfirmTransaction(connection, new Transaction().add(transfer), [key])
      },
      close: () => closeSocket(connection),
    }
  },
}

/** Peer that provides this client, installed separately. */
const [PEER, CLIENT] = ['solana-react-hooks', '@solana/client']
/** @returns {Promise<Kit>} */
async function solanaClient() {
  const entry = entries.find(({ name }) => name === PEER)
  const installed = entry && (await prepare(entry)).installed
  if (!installed) throw new Error(`there is no peer ${PEER}`)
  const require = createRequire(join(installed, 'package.json'))
  const load = (/** @type {string} */ name) => import(pathToFileURL(require.resolve(name)).href)
  const { createClient } = await load(CLIENT)
  const fromClient = createRequire(require.resolve(CLIENT))
  const { generateKeyPairSigner } = await import(pathToFileURL(fromClient.resolve('@solana/kit')).href)
  return {
    name: CLIENT,
    open: async ({ url, wsUrl }) => {
      const client = createClient({ endpoint: url, websocketEndpoint: wsUrl, commitment: 'confirmed' })
      const authority = await generateKeyPairSigner()
      return {
        address: authority.address,
        send: (destination, amount) => client.solTransfer.sendTransfer({ amount, authority, destination }),
        close: () => client.destroy(),
      }
    },
  }
}

/** @returns {Promise<readonly Kit[]>} */
export async function kits() {
  return [keybay, web3, await solanaClient()]
}
