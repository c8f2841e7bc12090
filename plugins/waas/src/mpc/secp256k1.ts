/** The curve of EVM and Bitcoin accounts. A file of its own: it is as large as all else that signs. */
import { secp256k1, secp256k1_FROST } from '@noble/curves/secp256k1.js'
import { addGroup, makeGroup } from './group.js'

/** Call it once before the first set on secp256k1 is made or read; without it they are refused (`mpc_curve_unknown`). */
export function enableSecp256k1(): void {
  addGroup(makeGroup('secp256k1', 33, secp256k1.Point, secp256k1_FROST))
}
