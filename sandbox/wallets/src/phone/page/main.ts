/** Phone: a page in place of Phantom's and Solflare's apps. Read link.ts and answer.ts first. */
import { createApprovalWindow } from '../../approval-window.js'
import { h } from '../../dom.js'
import { openKeyring } from '../../keyring.js'
import type { ApprovalRequest } from '../../requests.js'
import { sendTransaction } from '../../rpc.js'
import { answerTo, type Parameters, returnTo } from './answer.js'
import { BRANDS, type Brand } from './brands.js'
import { showHome } from './home.js'
import { type Account, type Ask, readLink } from './link.js'
import { impostor } from './manners.js'
import { refusal } from './refusals.js'
import { card, createScreen } from './screen.js'
import { keyringName, openLinks, readManner } from './settings.js'

const chainUrl = document.querySelector('meta[name="keybay:phone-chain-url"]')?.getAttribute('content') ?? ''
const screen = createScreen()

function say(title: string, text: string) {
  return screen.show(card(title, h('p', { role: 'status' }, text)))
}

/** Sends to the phone's only node, which serves the local chain. */
async function send(transaction: Uint8Array, cluster: string) {
  if (cluster !== 'localnet') throw refusal(4900)
  await sendTransaction(chainUrl, transaction).catch((error: unknown) => {
    throw refusal(error instanceof TypeError ? 4900 : '-32603')
  })
}

function getRequest(ask: Exclude<Ask, { method: 'disconnect' }>, address: string): ApprovalRequest {
  const appUrl = ask.method === 'connect' ? ask.appUrl : ask.linked.appUrl
  const base = { origin: ask.redirect.origin === 'null' ? appUrl : ask.redirect.origin, address }
  if (ask.method === 'connect') return { ...base, kind: 'connect' }
  if (ask.method === 'signMessage') return { ...base, kind: 'message', messages: [ask.message], hardware: false }
  return {
    ...base,
    kind: 'transaction',
    chain: `solana:${ask.linked.cluster}`,
    transactions: ask.transactions.map(({ read }) => read),
    send: ask.method === 'signAndSendTransaction',
    rpcUrl: ask.linked.cluster === 'localnet' ? chainUrl : undefined,
  }
}

function isParameters(thrown: unknown): thrown is Parameters {
  return Object.hasOwn(Object(thrown), 'errorCode')
}

async function open(brand: Brand) {
  document.title = brand.name
  const manner = readManner()
  if (manner.isMissing) {
    const href = `https://${brand.key}.com/download`
    screen.show(
      card(`Get ${brand.name}`, h('p', {}, `${brand.name} is not on this phone.`), h('a', { href }, 'Get the app')),
    )
    return
  }
  const keyring = openKeyring(keyringName(brand), { accounts: 1, hardware: false })
  const { address, publicKey } = keyring.active
  const ownAccount: Account = { address, publicKey, sign: bytes => keyring.sign(address, bytes) }
  const links = openLinks(brand)
  const goBack = (redirect: URL, parameters: Parameters) => {
    const url = returnTo(redirect, manner.change?.(parameters) ?? parameters)
    if (manner.delivery === 'never') return say('Answered', 'But the app is not told.')
    if (manner.delivery !== 'new tab') return location.replace(url)
    window.open(url, '_blank')
    say('Answered', 'In a new tab.')
  }
  const reading = readLink(new URL(location.href), ownAccount, links)
  if (!reading.ask) {
    const { redirect, refusal } = reading
    if (redirect) goBack(redirect, { ...refusal })
    else say('This link leads nowhere', refusal.errorMessage)
    return
  }
  const { ask } = reading
  const account = manner.signs ? impostor(ownAccount) : ownAccount
  const approve = async () => {
    const answer = await answerTo(ask, { brand, account, links, send, now: Date.now }).catch((thrown: unknown) => {
      if (isParameters(thrown)) return thrown
      throw thrown
    })
    goBack(ask.redirect, answer)
  }
  // Disconnecting needs no approval.
  if (ask.method === 'disconnect') return approve()
  const approval = createApprovalWindow({
    root: screen.root,
    name: brand.name,
    icon: brand.icon,
    label: () => 'Account 1',
    approve() {
      approval.show(undefined, 0)
      void approve()
    },
    reject() {
      approval.show(undefined, 0)
      goBack(ask.redirect, { ...refusal(4001) })
    },
  })
  approval.show(getRequest(ask, address), 1)
}

const brand = BRANDS.find(({ key }) => location.pathname.startsWith(`/${key}/`))
if (brand) void open(brand)
else showHome(screen)
