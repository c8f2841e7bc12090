/** Keys that come and go: import, export, sweep; sealing; Bitcoin and EVM. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import nacl from 'tweetnacl'
import { describe, expect, it } from 'vitest'
import * as mpc from '../../src/mpc/index.js'
import rfc9180 from '../../vectors/rfc9180-a1.json' with { type: 'json' }
import {
  accepted,
  blames,
  dealt,
  fails,
  fresh,
  generate,
  getPlan,
  getSet,
  getShare,
  hex,
  reshare,
  SCHEME_NAMES,
  sent,
  sign,
  subsets,
  take,
  text,
  thrown,
  toHex,
} from './ceremonies.js'

describe('import', () => {
  const { secretKey, publicKey } = Keypair.generate()
  it('imports the 64 bytes, the seed, and base58 of either, as web3.js writes them, and keeps the address', () => {
    for (const key of [
      secretKey,
      secretKey.slice(0, 32),
      base58.encode(secretKey),
      base58.encode(secretKey.slice(0, 32)),
    ]) {
      const plan = getPlan('TWO_OF_THREE')
      const shares = dealt(plan, mpc.readSolanaKey(key))
      expect(mpc.solanaAddress(getSet(shares))).toBe(publicKey.toBase58())
      const signature = sign(shares, ['C', 'R1'], text('hello'))
      expect(nacl.sign.detached.verify(text('hello'), signature, publicKey.toBytes())).toBe(true)
    }
  })
  it('an import does not change the caller’s bytes', () => {
    const keyBytes = secretKey.slice()
    mpc.readSolanaKey(keyBytes).fill(0)
    expect(keyBytes).toEqual(secretKey)
  })
  it('refuses to import key halves that do not match', () => {
    const mixed = Uint8Array.of(...secretKey.slice(0, 32), ...Keypair.generate().publicKey.toBytes())
    for (const key of [mixed, base58.encode(mixed)]) fails(() => mpc.readSolanaKey(key), mpc.keyHalvesDiffer, 'import')
  })
  it('refuses to import every other length and text, and does not quote the key', () => {
    const wrong = [
      new Uint8Array(),
      secretKey.slice(0, 31),
      secretKey.slice(0, 63),
      Uint8Array.of(...secretKey, 0),
      '',
      'not base58: 0OIl',
      base58.encode(secretKey.slice(0, 40)),
      '1'.repeat(89),
    ]
    for (const key of wrong) {
      const error = thrown(() => mpc.readSolanaKey(key))
      expect(error).toEqual(blames(mpc.keyMalformed, 'import'))
      if (typeof key === 'string' && key.length > 10) expect(JSON.stringify(error)).not.toContain(key)
    }
  })
})

describe('export', () => {
  it('exports the imported key after any number of reshares, for any threshold of one set', () => {
    const { secretKey } = Keypair.generate()
    for (const scheme of SCHEME_NAMES) {
      const plan = getPlan(scheme)
      const deal = mpc.dealImported(plan, mpc.readSolanaKey(secretKey))
      const sealed = take(deal.sealedSeed)
      let shares = accepted(plan, deal)
      const dealers = plan.parties.slice(0, plan.threshold)
      shares = reshare(shares, dealers, getPlan(scheme, { epoch: 1 }))
      shares = reshare(shares, dealers, getPlan(scheme, { epoch: 2 }))
      for (const parties of subsets(plan.parties, plan.threshold)) {
        const key = mpc.exportSolanaKey(
          parties.map(party => getShare(shares, party)),
          sealed,
        )
        expect(mpc.encodeSolanaKey(key)).toBe(base58.encode(secretKey))
        expect(Keypair.fromSecretKey(key).publicKey.toBase58()).toBe(mpc.solanaAddress(getSet(shares)))
      }
    }
  })
  it('refuses an export below the threshold, with a repeated or broken share, and with another wallet’s seed', () => {
    const plan = getPlan('THREE_OF_FIVE')
    const deal = mpc.dealImported(plan, fresh(32))
    const shares = accepted(plan, deal)
    const [c, b1, r1] = [getShare(shares, 'C'), getShare(shares, 'B1'), getShare(shares, 'R1')]
    const combine = (keyShares: readonly mpc.KeyShare[]) => thrown(() => mpc.combineShares(keyShares))
    expect(combine([])).toEqual(blames(mpc.sharesMissing, 'combine'))
    expect(combine([c, b1])).toEqual(blames(mpc.sharesMissing, 'combine'))
    expect(combine([c, b1, b1])).toEqual(blames(mpc.partyUnexpected, 'combine', 'B1'))
    expect(combine([c, b1, { ...r1, secret: c.secret }])).toEqual(blames(mpc.shareInvalid, 'combine', 'R1'))
    expect(combine([c, b1, { ...r1, party: 'R2' }])).toEqual(blames(mpc.shareInvalid, 'combine', 'R2'))
    const sealed = take(deal.sealedSeed)
    const changed = sealed.map((byte, i) => (i === 20 ? byte ^ 1 : byte))
    const other = take(mpc.dealImported(getPlan('TWO_OF_TWO'), fresh(32)).sealedSeed)
    for (const seed of [changed, other, new Uint8Array(60), new Uint8Array()])
      fails(() => mpc.exportSolanaKey([c, b1, r1], seed), mpc.seedUnreadable, 'seed')
  })
  it('an export fails with another wallet’s seed even if both wallets have the same key', () => {
    const seed = fresh(32)
    const [one, two] = [getPlan('TWO_OF_TWO'), getPlan('TWO_OF_TWO', { walletId: 'wallet-2' })]
    const shares = dealt(one, seed.slice())
    const sealed = take(mpc.dealImported(two, seed.slice()).sealedSeed)
    fails(() => mpc.exportSolanaKey([...shares.values()], sealed), mpc.seedUnreadable, 'seed')
  })
  it('exports the scalar of a key that was never whole, and the scalar signs the sweep', () => {
    const shares = generate(getPlan('TWO_OF_THREE'))
    const scalar = mpc.combineShares([getShare(shares, 'B1'), getShare(shares, 'R1')])
    const signature = mpc.signWithScalar(scalar, text('sweep'))
    expect(nacl.sign.detached.verify(text('sweep'), signature, mpc.groupKey(getSet(shares)))).toBe(true)
    expect(ed25519.verify(signature, text('sweep'), mpc.groupKey(getSet(shares)), { zip215: false })).toBe(true)
  })
})

describe('a sealed message', () => {
  it('a sealed message matches RFC 9180: appendix A.1.1, the first encryption', () => {
    const pair = { secretKey: hex(rfc9180.skRm), publicKey: hex(rfc9180.pkRm) }
    const sealed = mpc.sealPrivate(pair.publicKey, hex(rfc9180.info), hex(rfc9180.pt), hex(rfc9180.aad), () =>
      hex(rfc9180.skEm),
    )
    expect(toHex(sealed)).toBe(rfc9180.enc + rfc9180.ct)
    expect(toHex(mpc.openPrivate(pair, hex(rfc9180.info), sealed, hex(rfc9180.aad)))).toBe(rfc9180.pt)
  })
  it('a sealed message opens only unchanged, with its key and its context', () => {
    const plan = getPlan('THREE_OF_FIVE')
    const pair = mpc.sealingKeyPair()
    const context = mpc.sealContext(plan, 'C', 'R2')
    const sealed = mpc.sealPrivate(pair.publicKey, context, text('a sub-share'))
    expect(sealed).toHaveLength('a sub-share'.length + 48)
    expect(mpc.openPrivate(pair, context, sealed)).toEqual(text('a sub-share'))
    const refused = (act: () => unknown) => fails(act, mpc.sealUnreadable, 'seal')
    refused(() => mpc.openPrivate(mpc.sealingKeyPair(), context, sealed))
    refused(() => mpc.openPrivate(pair, mpc.sealContext(plan, 'R1', 'R2'), sealed))
    refused(() => mpc.openPrivate(pair, mpc.sealContext(getPlan('THREE_OF_FIVE'), 'C', 'R2'), sealed))
    refused(() => mpc.openPrivate(pair, context, sealed, text('something associated')))
    for (let i = 0; i < sealed.length; i++)
      refused(() =>
        mpc.openPrivate(
          pair,
          context,
          sealed.map((byte, k) => (k === i ? byte ^ 1 : byte)),
        ),
      )
    for (const length of [0, 31, 32, 47]) refused(() => mpc.openPrivate(pair, context, sealed.slice(0, length)))
  })
  it('refuses to seal a message for a public key of small order', () => {
    for (const key of [new Uint8Array(32), Uint8Array.of(1, ...new Uint8Array(31)), new Uint8Array(31)])
      fails(() => mpc.sealPrivate(key, text('context'), text('secret')), mpc.sealUnreadable, 'seal')
  })
})

describe('secp256k1', () => {
  const plan = (scheme: (typeof SCHEME_NAMES)[number]) => getPlan(scheme, { curve: 'secp256k1' })
  const sighash = sha256(text('a transaction'))

  it('taproot: every minimal signer set creates a BIP 340 signature of the tweaked key', () => {
    for (const scheme of SCHEME_NAMES) {
      const shares = generate(plan(scheme))
      const { parties, threshold } = getSet(shares)
      for (const signers of subsets(parties, threshold)) {
        const signings = signers.map(party => mpc.taprootBegin(getShare(shares, party)))
        const commitments = signings.map(signing => sent(mpc.codecs.taprootCommitment, signing.commitment))
        const parts = Object.fromEntries(
          signings.map((signing, i) => [take(signers[i]), signing.sign(commitments, sighash)]),
        )
        const signature = mpc.taprootFinish(getSet(shares), commitments, sighash, parts)
        expect(schnorr.verify(signature, sighash, mpc.taprootOutputKey(getSet(shares)))).toBe(true)
      }
    }
  })
  it('taproot: computes BIP 341’s output key of even and odd internal keys', () => {
    const seen = new Set<number>()
    for (let secret = 1n; secret < 9n; secret++) {
      const agreed = plan('TWO_OF_TWO')
      const shares = accepted(agreed, mpc.dealScalar(agreed, secp256k1.Point.Fn.toBytes(secret)))
      const internal = mpc.groupKey(getSet(shares))
      seen.add(take(internal[0]))
      const tweak = schnorr.utils.taggedHash('TapTweak', internal.slice(1))
      const even = secp256k1.Point.fromBytes(Uint8Array.of(2, ...internal.slice(1)))
      const output = even.add(secp256k1.Point.BASE.multiply(secp256k1.Point.Fn.fromBytes(tweak)))
      expect(toHex(mpc.taprootOutputKey(getSet(shares)))).toBe(toHex(output.toBytes().slice(1)))
    }
    expect(seen).toEqual(new Set([2, 3]))
  })
  it('taproot: blames the sender of a bad share, uses a nonce once, and keeps the key over a reshare', () => {
    const first = generate(plan('TWO_OF_THREE'))
    const shares = reshare(first, ['C', 'R1'], { ...plan('TWO_OF_THREE'), epoch: 1 })
    expect(mpc.taprootOutputKey(getSet(shares))).toEqual(mpc.taprootOutputKey(getSet(first)))
    const [c, r1] = [mpc.taprootBegin(getShare(shares, 'C')), mpc.taprootBegin(getShare(shares, 'R1'))]
    const commitments = [c.commitment, r1.commitment]
    const [ownShare, peerShare] = [c.sign(commitments, sighash), r1.sign(commitments, sighash)]
    fails(() => c.sign(commitments, sighash), mpc.nonceUsed, 'co-sign', 'C')
    const bad = { C: ownShare, R1: new Uint8Array(32).fill(1) }
    fails(
      () => mpc.taprootFinish(getSet(shares), commitments, sighash, bad),
      mpc.signatureShareInvalid,
      'finish-signature',
      'R1',
    )
    expect(
      schnorr.verify(
        mpc.taprootFinish(getSet(shares), commitments, sighash, { C: ownShare, R1: peerShare }),
        sighash,
        mpc.taprootOutputKey(getSet(shares)),
      ),
    ).toBe(true)
    fails(() => mpc.taprootBegin(getShare(dealt(getPlan('TWO_OF_TWO')), 'C')), mpc.planInvalid, 'plan')
  })
  it('EVM: the reconstructed implementation names itself, signs, and erases all shares', () => {
    expect(mpc.reconstructedBackend.signing).toBe('reconstructed')
    const shares = generate(plan('TWO_OF_THREE'))
    const key = mpc.groupKey(getSet(shares))
    const parties = ['B1', 'R1'] as const
    const signature = mpc.reconstructedBackend.sign(
      parties.map(party => getShare(shares, party)),
      sighash,
    )
    const compact = signature.slice(0, 64)
    expect(secp256k1.verify(compact, sighash, key, { prehash: false, lowS: true })).toBe(true)
    const recovered = Uint8Array.of(take(signature[64]) - 27, ...compact)
    expect(toHex(secp256k1.recoverPublicKey(recovered, sighash, { prehash: false }))).toBe(toHex(key))
    for (const party of parties) expect(getShare(shares, party).secret.every(byte => byte === 0)).toBe(true)
  })
  it('EVM: refuses shares of another curve, too few shares, and anything but a hash', () => {
    const shares = generate(plan('TWO_OF_TWO'))
    const { sign: signHash } = mpc.reconstructedBackend
    fails(() => signHash([...shares.values()], text('not a hash')), mpc.planInvalid, 'ecdsa')
    fails(() => signHash([...dealt(getPlan('TWO_OF_TWO')).values()], sighash), mpc.planInvalid, 'ecdsa')
    fails(() => signHash([getShare(shares, 'C')], sighash), mpc.sharesMissing, 'combine')
  })
  it('refuses the ed25519 signers for secp256k1 shares', () => {
    const share = getShare(generate(plan('TWO_OF_TWO')), 'C')
    fails(() => mpc.createFrameSigner(share, ['R1']), mpc.planInvalid, 'plan')
    const input = { share, request: text('r'), message: text('m'), received: [] }
    fails(() => mpc.nobleCoSigner.begin(input), mpc.shareInvalid, 'co-sign', 'C')
  })
})
