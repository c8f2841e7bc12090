/** Bytes that are a view of other memory, as Node’s file system, network and databases hand them out: read right, and left alone. */
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import nacl from 'tweetnacl'
import { describe, expect, it } from 'vitest'
import * as mpc from '../../src/mpc/index.js'
import { accepted, dealt, getPlan, getSet, getShare, sent, sign, take, text, VIEWS } from './ceremonies.js'

const quick: mpc.Argon2id = (password, salt) => sha256(Uint8Array.of(...password, ...salt))
const password = 'correct horse battery staple'
const plan = getPlan('TWO_OF_THREE')
const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 })

for (const [kind, within] of Object.entries(VIEWS))
  describe(`a ${kind} in the middle of other memory`, () => {
    it('reads a key from a view, returns a copy of its seed, and keeps the caller’s bytes', () => {
      fc.assert(
        fc.property(seeds, seed => {
          const { secretKey } = nacl.sign.keyPair.fromSeed(seed)
          for (const key of [seed, secretKey]) {
            const view = within(key)
            const read = mpc.readSolanaKey(view)
            expect(read).toEqual(seed)
            read.fill(0xee)
            expect(Uint8Array.from(view)).toEqual(key)
          }
        }),
        { numRuns: 25 },
      )
    })
    it('deals the wallet of a seed from a view, and exports the seed’s key again', () => {
      fc.assert(
        fc.property(seeds, seed => {
          const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(seed)
          const deal = mpc.dealImported(plan, within(seed))
          const shares = accepted(plan, deal)
          expect(mpc.groupKey(getSet(shares))).toEqual(publicKey)
          const parts = [getShare(shares, 'C'), getShare(shares, 'R1')]
          expect(mpc.exportSolanaKey(parts, within(take(deal.sealedSeed)))).toEqual(secretKey)
        }),
        { numRuns: 5 },
      )
    })
    it('opens a backup from a view with header and shares, even if the caller overwrites the bytes while it opens', async () => {
      await fc.assert(
        fc.asyncProperty(seeds, async seed => {
          const deal = mpc.dealImported(plan, Uint8Array.from(seed))
          const share = getShare(accepted(plan, deal), 'B1')
          const { sealedSeed } = deal
          const backup = await mpc.sealBackup({ shares: [share], sealedSeed, password, argon2id: quick })
          const view = within(backup)
          const header = mpc.readBackupHeader(view)
          expect(header).toEqual(mpc.readBackupHeader(backup))
          const opening = mpc.openBackup(view, password, quick)
          view.fill(0)
          expect(await opening).toEqual({ header, shares: [share], sealedSeed })
        }),
        { numRuns: 10 },
      )
    })
    it('seals and opens a message from views, with its key and its context', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 40 }), message => {
          const { secretKey, publicKey } = mpc.sealingKeyPair()
          const sealed = mpc.sealPrivate(within(publicKey), within(text('context')), within(message))
          const pair = { secretKey: within(secretKey), publicKey: within(publicKey) }
          expect(mpc.openPrivate(pair, within(text('context')), within(sealed))).toEqual(message)
          expect(mpc.openPrivate({ secretKey, publicKey }, text('context'), sealed)).toEqual(message)
        }),
        { numRuns: 10 },
      )
    })
    it('signs a message from a view as it was when signing began', () => {
      const shares = dealt(plan, within(new Uint8Array(32).fill(7)))
      const key = mpc.groupKey(getSet(shares))
      expect(nacl.sign.detached.verify(text('hello'), sign(shares, ['C', 'R1'], within(text('hello'))), key)).toBe(true)
      const frame = mpc.createFrameSigner(getShare(shares, 'C'), ['R1'])
      const message = within(text('hello'))
      const attempt = frame.begin(message)
      const received = [sent(mpc.codecs.signCommitment, attempt.commitment)]
      const input = { share: getShare(shares, 'R1'), request: within(text('request')), message, received }
      const signing = mpc.nobleCoSigner.begin(input)
      message.fill(0)
      const { signatureShare, commitment } = signing.sign([...received, signing.commitment])
      const answers = [{ commitment, signatureShare: within(signatureShare) }]
      const signature = attempt.finish(answers)
      expect(nacl.sign.detached.verify(text('hello'), signature, key)).toBe(true)
    })
  })
