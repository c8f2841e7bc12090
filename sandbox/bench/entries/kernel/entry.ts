/** Loads the kernel alone, as a host without React or plugins does. The bench measures only its size. */
import { createKeybay } from '@keybay/kernel'

export const keybay = createKeybay({ appName: 'bench', plugins: [] })
