/** The curve of EVM and Bitcoin accounts. A separate file: it is as large as all other signing code. */
import { secp256k1, secp256k1_FROST } from '@noble/curves/secp256k1.js'
import { addGroup } from './group.js'
import { makeGroup } from './noble-group.js'

/** Call it before the first set on secp256k1 is made or read; otherwise they are refused (`mpc_curve_unknown`). */
export function enableSecp256k1(): void {
  addGroup(makeGroup('secp256k1', 33, secp256k1.Point, secp256k1_FROST))
}
