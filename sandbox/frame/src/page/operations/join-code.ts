/**
 * The code of a new device. It binds both keys of the device, so a relay that replaces either shows the other device
 * another code. The user types two groups of it there: a click alone adds no device.
 */
import { sha256, utf8 } from '@keybay/kernel/spec'
import type { Join } from '@keybay/waas/relay-client'
import { getGroups, groupField, toLetters } from '../screen/code.js'
import type { Child } from '../screen/dom.js'

/** Two groups are 60 bits: a relay cannot find keys with a fitting code while the user waits. */
const GROUP_SIZE = 6
const GROUPS = 4

type Keys = Pick<Join, 'deviceKey' | 'sealingKey'>

/** Returns the groups of the code. */
export async function joinCode({ deviceKey, sealingKey }: Keys): Promise<readonly string[]> {
  const hash = await sha256(utf8(JSON.stringify(['keybay-join', deviceKey, sealingKey])))
  return getGroups(toLetters(hash.subarray(0, GROUPS * GROUP_SIZE)), GROUP_SIZE)
}

export interface TypedCode {
  readonly rows: readonly Child[]
  /** @throws Error that says what to correct, unless both groups are typed and fit a code */
  check(codes: readonly (readonly string[])[]): void
  fits(code: readonly string[]): boolean
}

/** Creates the fields for two groups, chosen at random after the relay has listed the devices. */
export function askTwoGroups(): TypedCode {
  const [first = 0, step = 0] = crypto.getRandomValues(new Uint8Array(2))
  const chosen = [first % GROUPS, (first + 1 + (step % (GROUPS - 1))) % GROUPS].toSorted((a, b) => a - b)
  const fields = chosen.map(index => ({ index, ...groupField(`Group ${index + 1}`, 'Six letters and digits.') }))
  const fits = (code: readonly string[]) => fields.every(({ index, read }) => read() === code[index])
  return {
    rows: fields.map(({ row }) => row),
    fits,
    check(codes) {
      if (fields.some(({ read }) => read().length !== GROUP_SIZE))
        throw new Error('Enter both groups, six characters each.')
      if (!codes.some(fits))
        throw new Error(
          'That isn’t the code of a device that asks. Check it, or cancel and start again on the new device.',
        )
    },
  }
}
