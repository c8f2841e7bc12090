/** Co-signatures alone, without the service. */
import { randomBytes } from 'node:crypto'
import { type CoSigner, createFrameSigner } from '@keybay/waas/mpc'
import { newWallet } from './wallet.js'

/** Returns co-signatures per second on this core. */
export function bareRate(coSigner: CoSigner, rounds: number): number {
  const { getShare } = newWallet()
  const [frame, share] = [createFrameSigner(getShare('C'), ['R1']), getShare('R1')]
  const message = new Uint8Array(randomBytes(215))
  const request = new Uint8Array(randomBytes(32))
  const commitments = Array.from({ length: rounds }, () => frame.begin().commitment)
  const started = process.cpuUsage()
  for (const commitment of commitments) {
    const signing = coSigner.begin({ share, request, message, received: [commitment] })
    signing.sign([commitment, signing.commitment])
  }
  const { user, system } = process.cpuUsage(started)
  return rounds / ((user + system) / 1e6)
}
