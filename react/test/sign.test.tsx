// @vitest-environment happy-dom
import type { SolanaSignMessage, SolanaSignTransaction } from '@keybay/kernel'
import { describe, expect, it, vi } from 'vitest'
import { useSignMessage, useSignTransaction } from '../src/index.js'
import { account, deferred, fakeWallet, freshPages, host, probe, settle } from './helpers.js'

freshPages()

function bytes(text: string) {
  return new TextEncoder().encode(text)
}
/** Signs with what it was given, so that a test sees what reached it. */
const signMessage: SolanaSignMessage['signMessage'] = async (...inputs) =>
  inputs.map(({ account: { address }, message }) => ({ signedMessage: message, signature: bytes(address) }))

function signer(name: string, sign = signMessage, acceptsSignal?: true) {
  const feature = { version: '1.1.0', signMessage: sign, ...(acceptsSignal && { signal: acceptsSignal }) }
  return fakeWallet(name, { features: { 'solana:signMessage': feature } })
}

async function connected(...wallets: ReturnType<typeof fakeWallet>[]) {
  const { keybay } = host(wallets.map(({ connector }) => connector))
  for (const { connector } of wallets) await keybay.connect(connector.id)
  return keybay
}

describe('useSignMessage', () => {
  it('useSignMessage signs text as UTF-8, and bytes as they are, with the active account', async () => {
    const sign = await probe(await connected(signer('a'), signer('b')), useSignMessage)
    expect(sign.current.status).toBe('idle')
    await settle(() => sign.current.run({ message: 'Grüße' }))
    expect(sign.current).toMatchObject({
      status: 'success',
      data: { signature: bytes('a1'), signedMessage: bytes('Grüße') },
    })
    await settle(() => sign.current.run({ message: new Uint8Array([0, 255]) }))
    expect(sign.current.data?.signedMessage).toEqual(new Uint8Array([0, 255]))
    await settle(() => sign.current.reset())
    expect([sign.current.status, sign.current.data]).toEqual(['idle', undefined])
  })
  it('useSignMessage signs with the given account', async () => {
    const sign = await probe(await connected(signer('a'), signer('b')), useSignMessage)
    const signed = await sign.current.runAsync({ message: 'm', account: 'b|b1' })
    expect(signed.signature).toEqual(bytes('b1'))
  })
  it('[S5.16] says "signMessage - Not implemented by wallet" when the wallet cannot sign messages', async () => {
    const sign = await probe(await connected(fakeWallet('a')), useSignMessage)
    await settle(() => sign.current.run({ message: 'm' }))
    expect(sign.current.error).toMatchObject({
      message: 'signMessage - Not implemented by wallet',
      code: 'sign_message_missing',
      connectorId: 'a',
    })
  })
  it('[S5.16] says "signMessage - Not implemented by wallet" when only the account cannot sign messages', async () => {
    const wallet = signer('a')
    wallet.answer = async () => ({ accounts: [account('hardware')] })
    const sign = await probe(await connected(wallet), useSignMessage)
    await expect(sign.current.runAsync({ message: 'm' })).rejects.toThrow('signMessage - Not implemented by wallet')
  })
  it('useSignMessage says "Account not found" when no wallet, or not the given account, is connected', async () => {
    const unsigned = await probe(await connected(), useSignMessage)
    await expect(unsigned.current.runAsync({ message: 'm' })).rejects.toThrow('Account not found')
    const sign = await probe(await connected(signer('a')), useSignMessage)
    await expect(sign.current.runAsync({ message: 'm', account: 'a|other' })).rejects.toThrow('Account not found')
  })
  it('useSignMessage fails when the wallet’s response is empty', async () => {
    const sign = await probe(await connected(signer('a', async () => [])), useSignMessage)
    await expect(sign.current.runAsync({ message: 'm' })).rejects.toMatchObject({
      code: 'sign_message_missing',
      connectorId: 'a',
    })
  })
  it('[S3.1] useSignMessage reports the refusal of any wallet as MESSAGE_SIGNATURE_DENIED', async () => {
    const refuse = async () => {
      throw { code: 4001, message: 'no' }
    }
    const sign = await probe(await connected(signer('a', refuse)), useSignMessage)
    await settle(() => sign.current.run({ message: 'm' }))
    expect(sign.current).toMatchObject({
      status: 'error',
      error: { code: 'user_rejected', walletCode: 3, name: 'KeybayError' },
    })
  })
})

describe('an action hook', () => {
  /** A wallet that answers when the test says so. */
  const slow = () => {
    const answers: ReturnType<typeof deferred<Awaited<ReturnType<typeof signMessage>>>>[] = []
    const wallet = signer('a', () => {
      const answer = deferred<Awaited<ReturnType<typeof signMessage>>>()
      answers.push(answer)
      return answer.promise
    })
    const say = (index: number, text: string) =>
      answers[index]?.resolve([{ signedMessage: bytes(text), signature: bytes(text) }])
    return { wallet, say, answers }
  }

  it('an action hook calls the wallet inside the click', async () => {
    const { wallet, answers } = slow()
    const sign = await probe(await connected(wallet), useSignMessage)
    await settle(() => {
      sign.current.run({ message: 'm' })
      expect(answers).toHaveLength(1)
    })
    expect(sign.current.status).toBe('pending')
  })
  it('an action hook shows the latest run, and aborts the previous run', async () => {
    const { wallet, say } = slow()
    const sign = await probe(await connected(wallet), useSignMessage)
    const first = vi.fn()
    await settle(() => sign.current.runAsync({ message: 'first' }).catch(first))
    await settle(() => sign.current.run({ message: 'second' }))
    await settle(() => say(1, 'second'))
    await settle(() => say(0, 'first'))
    expect(first).toHaveBeenCalledWith(expect.objectContaining({ code: 'aborted' }))
    expect(sign.current.data?.signature).toEqual(bytes('second'))
    // idle, pending twice, success
    expect(sign.renders).toBe(4)
  })
  it.each([
    [true, [true]],
    [undefined, [false]],
  ] as const)('passes its signal to a wallet that accepts it, and to no other (%s)', async (acceptsSignal, passed) => {
    const signals: boolean[] = []
    const sign: typeof signMessage = (...inputs) => {
      signals.push(...inputs.map(({ signal }) => signal !== undefined))
      return signMessage(...inputs)
    }
    const hook = await probe(await connected(signer('a', sign, acceptsSignal)), useSignMessage)
    await settle(() => hook.current.run({ message: 'm' }))
    expect(signals).toEqual(passed)
  })
  it('[S13.4] an action hook is idle after abort, and its promise rejects at once', async () => {
    const { wallet, say } = slow()
    const sign = await probe(await connected(wallet), useSignMessage)
    const ended = vi.fn()
    await settle(() => sign.current.runAsync({ message: 'm' }).catch(ended))
    await settle(() => sign.current.abort())
    expect(sign.current.status).toBe('idle')
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'aborted' }))
    await settle(() => say(0, 'late'))
    expect(sign.current.status).toBe('idle')
  })
  it('an action hook keeps its result after abort, and drops it after reset', async () => {
    const sign = await probe(await connected(signer('a')), useSignMessage)
    await settle(() => sign.current.run({ message: 'm' }))
    await settle(() => sign.current.abort())
    expect(sign.current.status).toBe('success')
    await settle(() => sign.current.reset())
    expect(sign.current.status).toBe('idle')
  })
  it('an action continues for its caller after the component unmounts', async () => {
    const { wallet, say } = slow()
    const sign = await probe(await connected(wallet), useSignMessage)
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => {})
    const pending = sign.current.runAsync({ message: 'm' })
    await settle()
    const { renders } = sign
    await settle(() => sign.root.unmount())
    await settle(() => say(0, 'signed'))
    expect((await pending).signature).toEqual(bytes('signed'))
    expect(sign.renders).toBe(renders)
    expect(complaint).not.toHaveBeenCalled()
  })
  it('an action hook returns the same functions in every render', async () => {
    const sign = await probe(await connected(signer('a')), useSignMessage)
    const { run, runAsync, abort, reset } = sign.current
    await settle(() => run({ message: 'm' }))
    expect(sign.current).toMatchObject({ status: 'success', run, runAsync, abort, reset })
  })
})

describe('useSignTransaction', () => {
  const receivedInputs: { readonly account: object }[] = []
  const signTransaction: SolanaSignTransaction['signTransaction'] = async (...inputs) => {
    receivedInputs.push(...inputs)
    return inputs.map(({ transaction }) => ({ signedTransaction: new Uint8Array([...transaction, 9]) }))
  }
  const features = {
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0] as const,
      signTransaction,
    },
  }
  const transaction = new Uint8Array([1, 2])

  it('useSignTransaction passes bytes, account and chain to the wallet, and returns the signed bytes', async () => {
    const keybay = await connected(fakeWallet('a', { features }))
    const sign = await probe(keybay, useSignTransaction)
    await settle(() => sign.current.run({ transaction, chain: 'solana:devnet' }))
    expect(sign.current).toMatchObject({ status: 'success', data: new Uint8Array([1, 2, 9]) })
    const walletAccount = keybay.accounts.active()?.walletAccount
    expect(receivedInputs.at(-1)).toEqual({ account: walletAccount, transaction, chain: 'solana:devnet' })
    expect(receivedInputs[0]?.account).toBe(walletAccount)
    await settle(() => sign.current.run({ transaction }))
    expect(receivedInputs.at(-1)).toEqual({ account: walletAccount, transaction })
  })
  it('useSignTransaction fails when the wallet cannot sign transactions', async () => {
    const sign = await probe(await connected(signer('a')), useSignTransaction)
    await expect(sign.current.runAsync({ transaction })).rejects.toMatchObject({
      code: 'feature_missing',
      message: 'Not implemented by wallet: solana:signTransaction',
    })
  })
})
