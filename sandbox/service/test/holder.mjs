// Locks a folder until the process is killed.
import { lockFolder } from '../dist/lock.js'

const [folder = '', platform] = process.argv.slice(2)
await lockFolder(folder, platform === 'darwin' ? platform : undefined)
process.on('message', () => undefined)
process.send?.('taken')
