/** The kernel alone, as a host without React or plugins would load it. Only its size is taken. */
import { createKeybay } from '@keybay/kernel'

export const keybay = createKeybay({ appName: 'bench', plugins: [] })
