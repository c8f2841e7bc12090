/** The lazily loaded half: the panel and the export. */
export { exportAll } from './exported.js'
export { showPanel } from './panel.js'
